/** The log contracts as vitest tests, one each, named by their sentences. */
import { describe, type TestContext, it as vitestTest } from 'vitest'
import type { LogContract } from './log-contract.ts'
import { chosenLogContracts } from './run-log-conformance.ts'
import { type LogConformanceOptions, logContractTimeoutMs, type MakeLog, runLogContract } from './run-log-contract.ts'

/** Runs the log contracts as vitest tests, one for each contract. */
export function describeLog(name: string, make: MakeLog, options: LogConformanceOptions = {}): void {
  describe(`log ${name}`, () => {
    for (const contract of chosenLogContracts(options.only)) declare(contract, make, options)
  })
}

function declare(contract: LogContract, make: MakeLog, options: LogConformanceOptions): void {
  const kept = async ({ skip }: TestContext) => {
    const verdict = await runLogContract(contract, make, options)
    if (verdict.outcome === 'failed') throw verdict.error
    if (verdict.outcome === 'skipped') skip(verdict.why)
  }
  const test: (sentence: string, options: { timeout: number }, run: typeof kept) => void = vitestTest
  // The suite's own limit comes first: its error says what it waited for.
  test(contract.sentence, { timeout: logContractTimeoutMs + 10_000 }, kept)
}
