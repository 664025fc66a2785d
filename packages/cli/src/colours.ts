/** The few colours of the command, and whether a stream is painted at all. */

export interface Colours {
  bold(text: string): string
  dim(text: string): string
  red(text: string): string
  yellow(text: string): string
  green(text: string): string
}

export interface PaintedStream {
  readonly isTTY?: boolean
}

export function colours({ isTTY }: PaintedStream, env: Readonly<Record<string, string | undefined>>): Colours {
  return isPainted({ isTTY: isTTY === true }, env) ? painted : plain
}

/** On a terminal. FORCE_COLOR turns colours on anywhere and NO_COLOR turns them off; FORCE_COLOR wins, as in Node itself. */
export function isPainted(
  { isTTY = false }: PaintedStream,
  { FORCE_COLOR, NO_COLOR, TERM }: Readonly<Record<string, string | undefined>>,
): boolean {
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== '') return !['0', 'false'].includes(FORCE_COLOR)
  if (NO_COLOR !== undefined && NO_COLOR !== '') return false
  return isTTY && TERM !== 'dumb'
}

const code = (number: number) => (text: string) => `\u001B[${number}m${text}\u001B[0m`
const painted: Colours = { bold: code(1), dim: code(2), red: code(31), yellow: code(33), green: code(32) }
const same = (text: string) => text
export const plain: Colours = { bold: same, dim: same, red: same, yellow: same, green: same }
