/** How much a request may hold. Providers refuse larger ones. */
import type { MediaKind } from '../media-part.ts'

/** 5 MB as base64, and a request of 32 MB with a document. */
export const mostBytes: Readonly<Record<MediaKind, number>> = { image: 3_750_000, pdf: 20_000_000 }

/** Of all pictures and documents of one conversation. Older ones are left out. */
export const mostOfConversation = { parts: 20, bytes: 20_000_000 } as const

/** Larger pictures are scaled down by every known provider; this is more than any of them counts. */
export const usualImageTokens = 5000

/** A page is read as a picture and as text. */
export const textTokensOfPage = 3000

export const mostPages = 100
