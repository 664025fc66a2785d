/** A hash of a text without its line endings and outer blank space. Two notes with the same fingerprint are the same note. */
import { contentHash } from '@agentm/storage-seam'

export function fingerprint(text: string): string {
  const lines = text
    .replace(/^\uFEFF/, '')
    .normalize('NFC')
    .split(/\r?\n/)
  return contentHash(
    lines
      .map((line) => line.trimEnd())
      .join('\n')
      .trim(),
  )
}

/** A hash of the words alone, so that a rejected text is recognised even with another comma. */
export function wordPrint(text: string): string {
  return contentHash(wordsOf(text).join(' ')).slice(0, 32)
}

/** The tag that records which request made a note. */
export function idempotencyTag(key: string): string {
  return `idem-${contentHash(key).slice(0, 16)}`
}

/** How similar two texts are, 0 to 1, by the three-word sequences they share. It is a hint for a person; notes are never merged by it. */
export function likeness(a: string, b: string): number {
  const [one, other] = [pieces(a), pieces(b)]
  const common = [...one].filter((piece) => other.has(piece)).length
  const all = one.size + other.size - common
  return all === 0 ? 0 : common / all
}

function pieces(text: string): Set<string> {
  const words = wordsOf(text)
  if (words.length < 3) return new Set([words.join(' ')])
  return new Set(words.slice(2).map((word, i) => `${words[i]} ${words[i + 1]} ${word}`))
}

function wordsOf(text: string): readonly string[] {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  )
}
