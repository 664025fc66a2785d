/** What bytes are, by their beginning and their end. Names can lie, and half a picture is refused by every provider. */
import type { MediaKind } from '../media-part.ts'

export type Sniffed =
  | { readonly is: 'media'; readonly kind: MediaKind; readonly mediaType: string }
  | { readonly is: 'damaged'; readonly mediaType: string }
  /** Text, or anything else. */
  | { readonly is: 'other' }

interface Format {
  readonly mediaType: string
  readonly kind: MediaKind
  readonly begins: (bytes: Uint8Array) => boolean
  readonly ends: (bytes: Uint8Array) => boolean
}

const formats: readonly Format[] = [
  {
    mediaType: 'image/png',
    kind: 'image',
    begins: (bytes) => textAt(bytes, 0, 8) === '\x89PNG\r\n\x1a\n',
    ends: (bytes) => textAt(bytes, 12, 4) === 'IHDR' && tail(bytes, 64).includes('IEND'),
  },
  {
    mediaType: 'image/jpeg',
    kind: 'image',
    begins: (bytes) => textAt(bytes, 0, 3) === '\xff\xd8\xff',
    // Cameras add data behind the end.
    ends: (bytes) => bytes.length > 100 && tail(bytes, 65_536).includes('\xff\xd9'),
  },
  {
    mediaType: 'image/gif',
    kind: 'image',
    begins: (bytes) => ['GIF87a', 'GIF89a'].includes(textAt(bytes, 0, 6)),
    ends: (bytes) => tail(bytes, 16).includes(';'),
  },
  {
    mediaType: 'image/webp',
    kind: 'image',
    begins: (bytes) => textAt(bytes, 0, 4) === 'RIFF' && textAt(bytes, 8, 4) === 'WEBP',
    ends: (bytes) => bytes.length >= 8 + sizeAt(bytes, 4) && sizeAt(bytes, 4) > 12,
  },
  {
    mediaType: 'application/pdf',
    kind: 'pdf',
    begins: (bytes) => textAt(bytes, 0, 5) === '%PDF-',
    ends: (bytes) => tail(bytes, 2048).includes('%%EOF'),
  },
]

export function sniffMedia(bytes: Uint8Array): Sniffed {
  const format = formats.find(({ begins }) => begins(bytes))
  if (format === undefined) return { is: 'other' }
  const { mediaType, kind, ends } = format
  return ends(bytes) ? { is: 'media', kind, mediaType } : { is: 'damaged', mediaType }
}

function textAt(bytes: Uint8Array, from: number, length: number): string {
  return Buffer.from(bytes.subarray(from, from + length)).toString('latin1')
}

function tail(bytes: Uint8Array, length: number): string {
  return textAt(bytes, Math.max(0, bytes.length - length), length)
}

function sizeAt(bytes: Uint8Array, at: number): number {
  return bytes.length < at + 4 ? 0 : Buffer.from(bytes.subarray(at, at + 4)).readUInt32LE()
}
