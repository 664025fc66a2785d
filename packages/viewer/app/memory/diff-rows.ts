/** Two texts as rows: what stayed, what went and what came. Long stretches that stayed are folded. */
import { diffLines, diffWordsWithSpace } from 'diff'

export interface DiffPart {
  readonly text: string
  readonly isChanged: boolean
}

export type DiffRow =
  | { readonly is: 'same'; readonly text: string }
  | { readonly is: 'gone' | 'new'; readonly parts: readonly DiffPart[] }
  | { readonly is: 'folded'; readonly lines: number }

/** Lines around a change that are shown, too. */
const around = 3
/** Comparing takes long where nothing is alike; then all of it counts as changed. */
const patience = { timeout: 400 } as const
const mostCompared = 4_000

export function diffRows(before: string, after: string): readonly DiffRow[] {
  const changes = diffLines(withEnd(before), withEnd(after), patience) ?? [
    { removed: true, added: false, value: before },
    { removed: false, added: true, value: after },
  ]
  const rows: DiffRow[] = []
  for (const [i, { added, removed, value }] of changes.entries()) {
    const next = changes[i + 1]
    if (removed && next?.added === true) rows.push(...pairOf(value, next.value))
    else if (added && changes[i - 1]?.removed === true) continue
    else if (added || removed)
      rows.push(
        ...linesOf(value).map((text) => ({ is: added ? 'new' : 'gone', parts: [{ text, isChanged: false }] }) as const),
      )
    else rows.push(...foldedLines(linesOf(value), { isFirst: i === 0, isLast: i === changes.length - 1 }))
  }
  return rows
}

/** What was changed inside lines that belong together is marked word by word. */
function pairOf(gone: string, come: string): readonly DiffRow[] {
  const isShort = gone.length + come.length <= mostCompared
  const words = isShort ? diffWordsWithSpace(gone, come, patience) : undefined
  if (words === undefined)
    return [
      ...linesOf(gone).map((text) => ({ is: 'gone', parts: [{ text, isChanged: false }] }) as const),
      ...linesOf(come).map((text) => ({ is: 'new', parts: [{ text, isChanged: false }] }) as const),
    ]
  const side = (mine: 'removed' | 'added', other: 'removed' | 'added') =>
    partLines(words.filter((word) => !word[other]).map((word) => ({ text: word.value, isChanged: word[mine] })))
  return [
    ...side('removed', 'added').map((parts) => ({ is: 'gone', parts }) as const),
    ...side('added', 'removed').map((parts) => ({ is: 'new', parts }) as const),
  ]
}

/** Cuts parts at the ends of lines. */
function partLines(parts: readonly DiffPart[]): readonly (readonly DiffPart[])[] {
  const lines: DiffPart[][] = [[]]
  for (const { text, isChanged } of parts) {
    const [first = '', ...more] = text.split('\n')
    if (first !== '') lines.at(-1)?.push({ text: first, isChanged })
    for (const line of more) lines.push(line === '' ? [] : [{ text: line, isChanged }])
  }
  if (lines.at(-1)?.length === 0) lines.pop()
  return lines
}

function foldedLines(
  lines: readonly string[],
  { isFirst, isLast }: { readonly isFirst: boolean; readonly isLast: boolean },
): readonly DiffRow[] {
  const head = isFirst ? 0 : around
  const tail = isLast ? 0 : around
  if (lines.length <= head + tail + 1) return unchanged(lines)
  const folded = { is: 'folded', lines: lines.length - head - tail } as const
  return [...unchanged(lines.slice(0, head)), folded, ...unchanged(lines.slice(lines.length - tail))]
}

function unchanged(lines: readonly string[]): readonly DiffRow[] {
  return lines.map((text) => ({ is: 'same', text }))
}

function linesOf(value: string): readonly string[] {
  return value.replace(/\n$/, '').split('\n')
}

function withEnd(text: string): string {
  const plain = text.replaceAll('\r\n', '\n')
  return plain === '' || plain.endsWith('\n') ? plain : `${plain}\n`
}
