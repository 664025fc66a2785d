/**
 * What is said while notes are read into the index for the first time: nothing in the first two seconds; then on a screen one line
 * that is kept up to date and goes away, and anywhere else one line, once.
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
    return terminal.err(`${lineOf(done, total)}, about ${left} s more. The next recall needs none of this.\n`)
  }
}

function lineOf(done: number, total: number): string {
  const all = total.toLocaleString('en')
  return `Reading notes into the index: ${done.toLocaleString('en').padStart(all.length)} of ${all}`
}
