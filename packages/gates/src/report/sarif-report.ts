/** SARIF 2.1.0, as code hosts show it beside the changed lines. */
import { pathToFileURL } from 'node:url'
import { gates } from '../gates.ts'
import type { GatesReport } from '../run-gates.ts'

/**
 * A report as SARIF 2.1.0, which code hosts show beside changed lines.
 *
 * @example
 * ```ts
 * import { runGates, sarifReport } from '@agentm/gates'
 * import { writeFile } from 'node:fs/promises'
 *
 * await writeFile('gates.sarif', sarifReport(await runGates({ root: '.' })))
 * ```
 */
export function sarifReport({ root, findings, ran }: GatesReport): string {
  const rules = gates
    .filter(({ id }) => ran.some(({ gate }) => gate === id))
    .flatMap((gate) =>
      Object.entries(gate.rules).map(([rule, means]) => ({
        id: `${gate.id}/${rule}`,
        shortDescription: { text: means },
        fullDescription: { text: gate.promise },
      })),
    )
  const known = new Set(rules.map(({ id }) => id))
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'agentm-gates', rules } },
        originalUriBaseIds: { ROOT: { uri: `${pathToFileURL(root).href}/` } },
        results: findings.map(({ rule, file, line, column, message }) => ({
          ruleId: rule,
          ...(known.has(rule) ? { ruleIndex: rules.findIndex(({ id }) => id === rule) } : {}),
          level: 'error',
          message: { text: message },
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: encodeURI(file), uriBaseId: 'ROOT' },
                region: { startLine: line, startColumn: column },
              },
            },
          ],
        })),
      },
    ],
  }
  return `${JSON.stringify(log, null, 2)}\n`
}
