/** What a person reads: each finding on a line that editors can open, then one line that sums up. */
import type { GatesReport } from '../run-gates.ts'

/**
 * A report as text: each finding on a line that editors can open, then a summary.
 *
 * @example
 * ```ts
 * import { runGates, textReport } from '@agentm/gates'
 *
 * console.log(textReport(await runGates({ root: '.' })))
 * ```
 */
export function textReport({ findings, ran, unconfigured, files }: GatesReport): string {
  const lines = findings.map(
    ({ file, line, column, rule, message }) => `${file}:${line}:${column}  ${rule}\n    ${message}`,
  )
  const skipped = unconfigured.map(({ gate, why }) => `not run: ${gate} (${why})`)
  const names = ran.map(({ gate }) => gate).join(', ')
  const count = findings.length === 1 ? '1 finding' : `${findings.length} findings`
  const sum = `${findings.length === 0 ? 'clean' : count}: ${files} files, ${names}`
  return [...lines, ...skipped, sum, ''].join('\n')
}
