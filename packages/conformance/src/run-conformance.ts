/** Runs every contract against a backend and returns a report. Throws only if it is called with wrong arguments. */
import { backendContracts } from './backend-contracts.ts'
import type { Contract } from './contract.ts'
import { type ConformanceOptions, type MakeBackend, runContract, type Verdict } from './run-contract.ts'

/** Which contracts passed, failed or were skipped. */
export interface ConformanceReport {
  readonly passed: readonly ContractName[]
  readonly failed: readonly (ContractName & { readonly error: unknown })[]
  readonly skipped: readonly (ContractName & { readonly why: string })[]
}

export interface ContractName {
  readonly id: string
  readonly sentence: string
}

/**
 * Runs every contract against a backend and returns a report. Throws only if it is called with wrong arguments.
 *
 * @example
 * ```ts
 * import { InMemoryBackend, runConformance } from '@agentm/conformance'
 *
 * const { passed, failed } = await runConformance(async () => new InMemoryBackend())
 * console.log(passed.length > 10, failed.length) // true 0
 * ```
 */
export async function runConformance(make: MakeBackend, options: ConformanceOptions = {}): Promise<ConformanceReport> {
  const verdicts: [ContractName, Verdict][] = []
  for (const contract of chosenContracts(options.only)) {
    const { id, sentence } = contract
    verdicts.push([{ id, sentence }, await runContract(contract, make, options)])
  }
  return {
    passed: verdicts.flatMap(([name, { outcome }]) => (outcome === 'passed' ? [name] : [])),
    failed: verdicts.flatMap(([name, verdict]) =>
      verdict.outcome === 'failed' ? [{ ...name, error: verdict.error }] : [],
    ),
    skipped: verdicts.flatMap(([name, verdict]) =>
      verdict.outcome === 'skipped' ? [{ ...name, why: verdict.why }] : [],
    ),
  }
}

/** The contracts with these ids. An unknown id is refused: a check that silently does not run proves nothing. */
export function chosenContracts(only?: readonly string[]): readonly Contract[] {
  const unknown = only?.find((id) => !backendContracts.some((contract) => contract.id === id))
  if (unknown !== undefined) throw new TypeError(`there is no contract with the id ${JSON.stringify(unknown)}`)
  return backendContracts.filter(({ id }) => only?.includes(id) ?? true)
}
