/**
 * Text for whoever reads it, without what would make a terminal act or a reader see something else: notes come from agents and from
 * the web, and an escape sequence in one may rewrite the screen or fill the clipboard, and a letter that turns text round shows
 * other words than are there. Each such character is shown as its picture or code.
 */
import { visible } from '@agentm/memory/shown'

/** `paints`: keep what this program paints itself, because a screen follows. */
export function harmlessText(text: string, { paints = true }: { readonly paints?: boolean } = {}): string {
  const back = paints ? (backs.find((each) => text.startsWith(each)) ?? '') : ''
  const pieces = text.slice(back.length).split(paints ? painted : plain)
  // What was split at stands between the pieces.
  return back + pieces.map((piece, i) => (i % 2 === 1 ? piece : harmless(piece))).join('')
}

const escape = '\u001B'
// The ways back over a line of progress.
const backs = [`\r${escape}[2K`, '\r']
// The line ends of every system; then bold, dim, red, and back.
const plain = /(\r?\n|\t)/
const painted = new RegExp(`(\\r?\\n|\\t|${escape}\\[(?:0|1|2|31)m)`)

function harmless(piece: string): string {
  return visible(piece.replaceAll(/[\p{Zl}\p{Zp}]/gu, ' '))
}
