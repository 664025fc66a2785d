/**
 * Progress while notes are indexed for the first time: nothing in the first two seconds; then, on a terminal, one line that is
 * updated and finally removed; elsewhere one line, printed once.
 */
import type { Call } from '../../command.ts'

const silentMs = 2000
const betweenMs = 200

export function readingProgress(
  { terminal, json }: Pick<Call, 'terminal' | 'json'>,
  now: () => number = () => performance.now(),
): (done: number, total: number) => void {
  if (json) return () => {}
  const began = now()
  let shownAt: number | undefined
  return (done, total) => {
    const at = now()
    const isShown = shownAt !== undefined
    if (terminal.width !== undefined && isShown && done >= total)
      return terminal.err(`\r${' '.repeat(lineOf(done, total).length)}\r`)
    if (at - began < silentMs || done >= total) return undefined
    if (isShown && (terminal.width === undefined || at - (shownAt ?? 0) < betweenMs)) return undefined
    shownAt = at
    if (terminal.width !== undefined) return terminal.err(`\r${lineOf(done, total)}`)
    const left = Math.ceil((((at - began) / Math.max(1, done)) * (total - done)) / 1000)
    return terminal.err(`${lineOf(done, total)}, about ${left} s left. This is needed only once.\n`)
  }
}

function lineOf(done: number, total: number): string {
  const all = total.toLocaleString('en')
  return `Reading notes into the index: ${done.toLocaleString('en').padStart(all.length)} of ${all}`
}
