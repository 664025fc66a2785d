/**
 * Makes text safe to print. Notes come from agents and from the web: an escape sequence in one could rewrite the screen or fill the
 * clipboard, and a character that reverses text shows other words than are there. Each such character is shown as its picture or
 * code.
 */
import { visible } from '@agentm/memory/shown'

/** `paints`: keep the colours and line erasures of this program itself, because the text goes to a terminal. */
export function harmlessText(text: string, { paints = true }: { readonly paints?: boolean } = {}): string {
  const back = paints ? (backs.find((each) => text.startsWith(each)) ?? '') : ''
  const pieces = text.slice(back.length).split(paints ? painted : plain)
  // `split` with a group returns the separators, too: they are the odd pieces.
  return back + pieces.map((piece, i) => (i % 2 === 1 ? piece : harmless(piece))).join('')
}

const escape = '\u001B'
// What replaces a line that shows progress.
const backs = [`\r${escape}[2K`, '\r']
// The line ends of every system; then bold, dim, red, green, yellow, and back.
const plain = /(\r?\n|\t)/
const painted = new RegExp(`(\\r?\\n|\\t|${escape}\\[(?:0|1|2|31|32|33)m)`)

function harmless(piece: string): string {
  return visible(piece.replaceAll(/[\p{Zl}\p{Zp}]/gu, ' '))
}
