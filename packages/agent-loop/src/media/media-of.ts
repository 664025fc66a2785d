/** The part of a conversation that a file becomes, or why it cannot become one. */
import { createHash } from 'node:crypto'
import { countPages } from './count-pages.ts'
import type { MediaKind, MediaPart, MediaPolicy } from './media-part.ts'
import { mostBytes, mostPages, textTokensOfPage, usualImageTokens } from './pure/media-limits.ts'
import { sniffMedia } from './pure/sniff-media.ts'

export type MediaFound =
  | { readonly is: 'part'; readonly part: MediaPart }
  | { readonly is: 'refused'; readonly why: string }
  /** It is neither a picture nor a PDF. */
  | { readonly is: 'other' }

export function mediaOf(
  bytes: Uint8Array,
  { name: given, imageTokens = usualImageTokens, ...media }: { readonly name: string } & Omit<MediaPolicy, 'store'>,
): MediaFound {
  const sniffed = sniffMedia(bytes)
  // A name with line breaks could pass for words of somebody else.
  const name = given.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
  if (sniffed.is === 'other') return sniffed
  const refused = (why: string): MediaFound => ({ is: 'refused', why: `${name} ${why}` })
  const { mediaType } = sniffed
  if (sniffed.is === 'damaged') return refused(`is a damaged ${mediaType}: its end is missing`)
  const { kind } = sniffed
  if (!media.accepts.includes(kind)) return refused(notAccepted({ kind, mediaType }, media))
  if (bytes.length > mostBytes[kind])
    return refused(`has ${bytes.length} bytes, and ${nounOf(kind)} may have ${mostBytes[kind]}`)
  const pages = kind === 'pdf' ? countPages(bytes) : 0
  if (kind === 'pdf' && pages === 0) return refused('has no pages that can be read: it is encrypted or damaged')
  if (pages > mostPages) return refused(`has ${pages} pages, and a PDF may have ${mostPages}`)
  const tokens = kind === 'pdf' ? pages * (imageTokens + textTokensOfPage) : imageTokens
  const hash = createHash('sha256').update(bytes).digest('hex')
  return { is: 'part', part: { kind, mediaType, name, hash, bytes: bytes.length, tokens } }
}

/** The line that a model gets in its place if it cannot take it. The line names the setting. */
export function notAccepted(
  { kind, mediaType }: Pick<MediaPart, 'kind' | 'mediaType'>,
  { accepts, settingFor = settingForAll(accepts) }: Pick<MediaPolicy, 'accepts' | 'settingFor'>,
): string {
  const what = kind === 'pdf' ? 'PDFs' : 'pictures'
  return `is ${nounOf(kind)} (${mediaType}), and the model is not configured to take ${what}. If it can: ${settingFor(kind)}`
}

function settingForAll(accepts: readonly MediaKind[]): (kind: MediaKind) => string {
  return (kind) => `agentm config set models.inputs ${[...new Set([...accepts, kind])].join(',')}`
}

function nounOf(kind: MediaKind): string {
  return kind === 'pdf' ? 'a PDF' : 'a picture'
}
