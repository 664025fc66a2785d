/** Runs every log contract against a store and returns a report. Throws only if it is called with wrong arguments. */
import type { ConformanceReport } from '../run-conformance.ts'
import type { LogContract } from './log-contract.ts'
import { logContracts } from './log-contracts.ts'
import { type LogConformanceOptions, type MakeLog, runLogContract } from './run-log-contract.ts'

/**
 * Runs every log contract against a store and returns a report. Throws only if it is called with wrong arguments.
 *
 * @example
 * ```ts
 * import { createInMemoryStore, logContracts, runLogConformance } from '@agentm/conformance/logs'
 *
 * const report = await runLogConformance(async ({ concepts, runtime }) => createInMemoryStore({ concepts, runtime }))
 * ```
 */
export async function runLogConformance(
  make: MakeLog,
  options: LogConformanceOptions = {},
): Promise<ConformanceReport> {
  const passed: ConformanceReport['passed'][number][] = []
  const failed: ConformanceReport['failed'][number][] = []
  const skipped: ConformanceReport['skipped'][number][] = []
  for (const contract of chosenLogContracts(options.only)) {
    const { id, sentence } = contract
    const verdict = await runLogContract(contract, make, options)
    if (verdict.outcome === 'passed') passed.push({ id, sentence })
    else if (verdict.outcome === 'failed') failed.push({ id, sentence, error: verdict.error })
    else skipped.push({ id, sentence, why: verdict.why })
  }
  return { passed, failed, skipped }
}

/** The contracts with these ids. An unknown id is refused: a check that silently does not run proves nothing. */
export function chosenLogContracts(only?: readonly string[]): readonly LogContract[] {
  const unknown = only?.find((id) => !logContracts.some((contract) => contract.id === id))
  if (unknown !== undefined) throw new TypeError(`there is no log contract with the id ${JSON.stringify(unknown)}`)
  return logContracts.filter(({ id }) => only?.includes(id) ?? true)
}
