/** Breaks lines at words, so that none is wider than the screen. A continued line begins below the text of its first line. */

export interface Wrapping {
  /** Columns of the screen; without it, lines are left as they are. */
  readonly width: number | undefined
  /** Columns that a continued line begins with (default: as many as its first line). */
  readonly hanging?: number
}

export function wrapped(text: string, { width, hanging }: Wrapping): string {
  if (width === undefined) return text
  return text
    .split('\n')
    .map((line) => (widthOf(line) <= width || isCommand(line) ? line : wrappedLine(line, width, hanging)))
    .join('\n')
}

function wrappedLine(line: string, width: number, hanging: number | undefined): string {
  const [margin = ''] = /^ */.exec(line) ?? []
  const next = ' '.repeat(Math.min(hanging ?? margin.length, Math.floor(width / 2)))
  const lines: string[] = []
  let current = margin
  let hasWord = false
  // A space goes with the word after it: what stands in columns stays in columns where nothing is broken.
  for (const [, space = '', word = ''] of line.slice(margin.length).matchAll(/( *)([^ ]+)/g)) {
    if (hasWord && widthOf(current + space + word) > width) {
      lines.push(current)
      current = next + word
    } else current += space + word
    hasWord = true
  }
  return [...lines, current].join('\n')
}

/** A command on a line of its own stays whole, so that it can be copied. */
function isCommand(line: string): boolean {
  return /^\s*(?:try: |\$ )?(?:agentm|npx @agentm\/cli) /.test(line)
}

const escape = '\u001B'
const painted = new RegExp(`${escape}\\[\\d*m`, 'g')

function widthOf(text: string): number {
  return Array.from(text.replaceAll(painted, '')).length
}
