/**
 * As much of what is known as fits a budget of tokens, best first. What does not fit is skipped and the next is tried, what
 * is large is excerpted, and what was left out is named: silence would read as "there is nothing more".
 */
export interface Piece {
  readonly label: string
  readonly text: string
}

export interface BundleHead {
  readonly phase: string
  readonly project: string | undefined
  /** Tokens. */
  readonly budget: number
}

export interface Bundle {
  readonly text: string
  readonly entries: number
  readonly tokens: number
  readonly leftOut: readonly string[]
}

/** Four characters are about one token. */
export function tokensOf(text: string): number {
  return Math.max(1, Math.floor(Array.from(text).length / 4))
}

/** Of the budget, so that one long note does not stand for all. */
const largestShare = 0.3
const shortestExcerpt = 40
const mostNamed = 20

export function bundle(pieces: readonly Piece[], head: BundleHead): Bundle {
  if (pieces.length === 0) return { text: '', entries: 0, tokens: 0, leftOut: [] }
  const room = head.budget - tokensOf(headerOf(head, pieces.length))
  const taken = takeWhatFits(pieces, room, Math.max(shortestExcerpt, Math.floor(head.budget * largestShare)))
  const leftOut = pieces.filter((_, i) => taken[i] === undefined).map(({ label }) => label)
  const blocks = taken.filter((block) => block !== undefined)
  const body = headerOf(head, blocks.length) + blocks.join('\n')
  const text = body + footerOf(leftOut, head.budget - tokensOf(body))
  return { text, entries: blocks.length, tokens: tokensOf(text), leftOut }
}

/** A block for each piece that has a place: whole, or an excerpt of what is larger than its share. */
function takeWhatFits(pieces: readonly Piece[], room: number, share: number): readonly (string | undefined)[] {
  let left = room
  const taken = pieces.map(({ label, text }) => {
    const whole = blockOf(label, text)
    const block = tokensOf(whole) <= share ? whole : excerpt(label, text, Math.min(share, left))
    if (block === undefined || tokensOf(block) > left) return undefined
    left -= tokensOf(block)
    return block
  })
  // What is left over goes to those that were cut.
  return taken.map((block, i) => {
    const piece = pieces[i]
    if (block === undefined || piece === undefined) return block
    const whole = blockOf(piece.label, piece.text)
    if (tokensOf(whole) - tokensOf(block) > left) return block
    left -= tokensOf(whole) - tokensOf(block)
    return whole
  })
}

function headerOf({ phase, project, budget }: BundleHead, entries: number): string {
  return `# Auto-context recall — phase: ${phase}, project: ${project ?? '(unknown)'}\n(budget: ~${budget} tokens, entries: ${entries})\n\n`
}

function blockOf(label: string, text: string): string {
  return `### ${label}\n\n${text.trimEnd()}\n`
}

/** Whole paragraphs from the beginning, then whole words. */
function excerpt(label: string, text: string, tokens: number): string | undefined {
  const mark = '\n\n[… excerpt]'
  const room = (tokens - tokensOf(blockOf(label, mark)) - 1) * 4
  if (room < shortestExcerpt) return undefined
  const cut = Array.from(text.trim()).slice(0, room).join('')
  const paragraph = cut.lastIndexOf('\n\n')
  const end = paragraph > cut.length / 2 ? paragraph : Math.max(cut.lastIndexOf(' '), cut.length - 40)
  return blockOf(label, cut.slice(0, end).trimEnd() + mark)
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
