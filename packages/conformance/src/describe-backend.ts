/** The contracts as vitest tests, one each, named by their sentences. */
import { describe, type TestContext, it as vitestTest } from 'vitest'
import type { Contract } from './contract.ts'
import { type ConformanceOptions, contractTimeoutMs, type MakeBackend, runContract } from './run-contract.ts'
import { chosenContracts } from './run-conformance.ts'

/** Runs the backend contracts as vitest tests, one for each contract. */
export function describeBackend(name: string, make: MakeBackend, options: ConformanceOptions = {}): void {
  describe(`backend ${name}`, () => {
    for (const contract of chosenContracts(options.only)) declare(contract, make, options)
  })
}

function declare(contract: Contract, make: MakeBackend, options: ConformanceOptions): void {
  const kept = async ({ skip }: TestContext) => {
    const verdict = await runContract(contract, make, options)
    if (verdict.outcome === 'failed') throw verdict.error
    if (verdict.outcome === 'skipped') skip(verdict.why)
  }
  const test: (sentence: string, options: { timeout: number }, run: typeof kept) => void = vitestTest
  // The suite's own limit comes first: its error says what it waited for.
  test(contract.sentence, { timeout: contractTimeoutMs + 10_000 }, kept)
}
