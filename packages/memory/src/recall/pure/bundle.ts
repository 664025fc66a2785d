/**
 * Fits as many entries as possible into a budget of tokens, best first. An entry that does not fit is skipped, and the next is
 * tried. Large entries are shortened. The bundle says what was left out, because silence would mean "there is nothing more".
 */
import { dataNotice, oneLine, quoted } from '../../notes/pure/shown.ts'

export interface Piece {
  readonly label: string
  /** Who wrote the text. */
  readonly source: string
  readonly text: string
  /** The entries in it, by `shownId`. */
  readonly ids: readonly string[]
}

export interface BundleHead {
  readonly phase: string
  readonly project: string | undefined
  /** In tokens. */
  readonly budget: number
}

/** Entries that fit into a budget of tokens, best first. */
export interface Bundle {
  readonly text: string
  readonly entries: number
  readonly tokens: number
  readonly leftOut: readonly string[]
  /** The entries in the text, by `shownId`. */
  readonly shown: readonly string[]
}

/** About one token per four characters. */
export function tokensOf(text: string): number {
  return Math.max(1, Math.floor(Array.from(text).length / 4))
}

/** The largest share of the budget that one note may take. */
const largestShare = 0.3
const shortestExcerpt = 40
const mostNamed = 20

export function bundle(pieces: readonly Piece[], head: BundleHead): Bundle {
  if (pieces.length === 0) return { text: '', entries: 0, tokens: 0, leftOut: [], shown: [] }
  const room = head.budget - tokensOf(headerOf(head, pieces.length))
  const taken = takeWhatFits(pieces, room, Math.max(shortestExcerpt, Math.floor(head.budget * largestShare)))
  const leftOut = pieces.filter((_, i) => taken[i] === undefined).map(({ label }) => oneLine(label))
  const blocks = taken.filter((block) => block !== undefined)
  const body = headerOf(head, blocks.length) + blocks.join('\n')
  const text = body + footerOf(leftOut, head.budget - tokensOf(body))
  const shown = pieces.flatMap(({ ids }, i) => (taken[i] === undefined ? [] : ids))
  return { text, entries: blocks.length, tokens: tokensOf(text), leftOut, shown }
}

/** One block for each entry that fits: whole, or shortened if it is larger than its share. */
function takeWhatFits(pieces: readonly Piece[], room: number, share: number): readonly (string | undefined)[] {
  let left = room
  const taken = pieces.map((piece) => {
    const whole = wholeOf(piece)
    const block = tokensOf(whole) <= share ? whole : excerpt(piece, Math.min(share, left))
    if (block === undefined || costOf(block) > left) return undefined
    left -= costOf(block)
    return block
  })
  // The rest of the budget goes to entries that were shortened.
  return taken.map((block, i) => {
    const piece = pieces[i]
    if (block === undefined || piece === undefined) return block
    const whole = wholeOf(piece)
    if (costOf(whole) - costOf(block) > left) return block
    left -= costOf(whole) - costOf(block)
    return whole
  })
}

/** Includes the line break between blocks and is rounded up, because the differences of many small blocks add up. */
function costOf(block: string): number {
  return Math.ceil((Array.from(block).length + 1) / 4)
}

function headerOf({ phase, project, budget }: BundleHead, entries: number): string {
  return `# Auto-context recall — phase: ${phase}, project: ${project === undefined ? '(unknown)' : oneLine(project)}\n(budget: ~${budget} tokens, entries: ${entries})\n${dataNotice}\n\n`
}

function wholeOf(piece: Piece): string {
  return blockOf(piece, quoted(piece.text))
}

function blockOf({ label, source }: Piece, quotation: string): string {
  return `### ${oneLine(label)} (${source})\n\n${quotation}\n`
}

/** Whole paragraphs from the beginning, then whole words. */
function excerpt(piece: Piece, tokens: number): string | undefined {
  const mark = '\n\n[… excerpt]'
  const room = (tokens - tokensOf(blockOf(piece, mark)) - 1) * 4
  if (room < shortestExcerpt) return undefined
  const cut = Array.from(quoted(piece.text)).slice(0, room).join('')
  const paragraph = cut.lastIndexOf('\n>\n')
  const end = paragraph > cut.length / 2 ? paragraph : Math.max(cut.lastIndexOf(' '), cut.length - 40)
  return blockOf(piece, cut.slice(0, end).trimEnd() + mark)
}

function footerOf(leftOut: readonly string[], left: number): string {
  if (leftOut.length === 0) return ''
  const named = leftOut.slice(0, mostNamed).join(', ')
  const more = leftOut.length > mostNamed ? `, and ${leftOut.length - mostNamed} more` : ''
  const long = `\n(left out: ${named}${more})\n`
  if (tokensOf(long) <= left) return long
  const short = `\n(left out: ${leftOut.length})\n`
  return tokensOf(short) <= left ? short : ''
}
