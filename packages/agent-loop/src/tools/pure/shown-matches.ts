/** The lines that matched in one file, with the lines around them, as `grep` shows them. */
export interface FileMatches {
  readonly path: string
  readonly lines: readonly string[]
  /** Counted from 0, in order. */
  readonly matches: readonly number[]
}

/** The most characters of a line that are shown. */
const longestLine = 500

export function shownMatches({ path, lines, matches }: FileMatches, context: number): string {
  const wanted = new Set(matches)
  const shown = [...lines.keys()].filter((at) => matches.some((match) => Math.abs(match - at) <= context))
  return shown
    .map((at, i) => {
      const isApart = context > 0 && i > 0 && shown[i - 1] !== at - 1
      const mark = wanted.has(at) ? ':' : '-'
      return `${isApart ? '--\n' : ''}${path}${mark}${at + 1}${mark} ${shortened(lines[at] ?? '')}`
    })
    .join('\n')
}

function shortened(line: string): string {
  const text = line.replace(/\r$/, '')
  return text.length > longestLine ? `${text.slice(0, longestLine)} … (${text.length} characters)` : text
}
