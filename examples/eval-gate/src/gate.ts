import { checkThreshold, type Fixture, renderReport, runSuite, suites, type Threshold } from '@agentm/harness'
import { readdir, readFile } from 'node:fs/promises'

const recorded = new URL('../fixtures/', import.meta.url)

export async function recordedFixtures(): Promise<readonly Fixture[]> {
  const names = (await readdir(recorded)).filter((name) => name.endsWith('.json'))
  return Promise.all(names.map(async (name) => JSON.parse(await readFile(new URL(name, recorded), 'utf8')) as Fixture))
}

/** The report, and the exit code CI gets. */
export function gate(fixtures: readonly Fixture[], threshold: Threshold) {
  const report = runSuite(fixtures)
  const verdict = checkThreshold(report, threshold)
  return { text: renderReport(report, verdict), exitCode: verdict.cleared ? 0 : 1, ...verdict }
}

export async function gateAll() {
  const { seed, extended } = suites
  return [
    gate(seed.fixtures, seed.threshold),
    gate(extended.fixtures, extended.threshold),
    gate(await recordedFixtures(), { minPassRate: 1, maxToolCalls: 10, maxTokens: 1000 }),
  ]
}
