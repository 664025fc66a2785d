/** What a reranker is shown of a result: its title, and the text around the passage that answers. */
import type { Passage } from '../../ranking/pure/passages.ts'

// Most rerankers read 512 tokens, question included; the rest of a text costs time and is cut off.
const longest = 1500

export function rerankedText(
  { title, text = '' }: { readonly title: string; readonly text: string | undefined },
  passage: Passage | undefined,
): string {
  const around = text.length <= longest ? text.trim() : text.slice(...windowAround(text, passage)).trim()
  const shown = title === '' || around.startsWith(title) ? around : `${title}\n${around}`
  // A cut may have split a character. An empty text would be refused by some servers.
  return shown.toWellFormed() || '-'
}

/** The passage in the middle, as far as the text has something on both sides of it. */
function windowAround(text: string, passage: Passage | undefined): readonly [number, number] {
  const middle = passage === undefined ? 0 : (passage.start + passage.end) / 2
  const start = Math.round(Math.max(0, Math.min(text.length - longest, middle - longest / 2)))
  return [start, start + longest]
}
