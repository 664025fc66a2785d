/** Holds the harness to fixtures: plans with scripted outcomes, or recorded ones. For CI: 0 cleared, 1 regressed, 2 wrong usage. */
import {
  checkThreshold,
  type Fixture,
  fixtureOf,
  readRecording,
  renderReport,
  runSuite,
  type Suite,
  suites,
  type Threshold,
} from '@agentm/harness'
import { AbsentNodeError } from '@agentm/nodes'
import { type Call, type Command, UsageError } from '../../command.ts'
import { numberOption } from '../memory/number-option.ts'
import { ErasedError, findPlanId } from './find-row.ts'
import { readFixtures } from './read-fixtures.ts'

export const evaluate: Command = {
  takes: '[SUITE]',
  summary: 'hold the harness to fixtures, and name every limit that is missed',
  details:
    'SUITE is seed (where absent), extended, a fixture file, or a directory of them; agentm trace PLAN --fixture NAME writes one.\n' +
    'Each suite has limits of its own; an option replaces one, and 0 switches it off. Exit code 0 cleared, 1 missed, 2 wrong usage.',
  options: {
    'min-pass-rate': { value: 'RATE', help: 'of fixtures that went as expected; from 0 to 1' },
    'min-success-rate': { value: 'RATE', help: 'of plans that were done; from 0 to 1' },
    'max-tool-calls': { value: 'N', help: 'in all' },
    'max-tokens': { value: 'N', help: 'in all' },
    'from-trace': { value: 'PLAN', help: 'a recorded plan of yours as a fixture; may be given again', repeats: true },
  },
  async run(call) {
    const suite = await suiteFor(call)
    const threshold = { ...suite.threshold, ...limitsOf(call) }
    const report = runSuite(suite.fixtures)
    const verdict = checkThreshold(report, threshold)
    return {
      text: renderReport(report, verdict),
      data: { report, threshold, verdict },
      exit: verdict.cleared ? 0 : 1,
    }
  },
}

async function suiteFor(call: Call): Promise<Suite> {
  const [named] = call.args
  const traced = call.all('from-trace')
  if (traced.length > 0) {
    if (named !== undefined) throw new UsageError('name a suite, or plans with --from-trace.')
    return recorded(await Promise.all(traced.map((words) => fixtureFrom(call, words))))
  }
  const own = Object.entries(suites).find(([name]) => name === (named ?? 'seed'))
  return own === undefined ? recorded(await readFixtures(named ?? '', call.cwd)) : own[1]
}

function recorded(fixtures: readonly Fixture[]): Suite {
  return { fixtures, threshold: { minPassRate: 1 } }
}

async function fixtureFrom(call: Call, words: string): Promise<Fixture> {
  const opened = await (await call.reader()).plans()
  if (opened === undefined) throw new AbsentNodeError(words)
  const { log, owner } = opened
  const planId = await findPlanId(opened, words)
  const recording = await readRecording(log, { planId, owner })
  if (recording === undefined) throw new ErasedError(planId)
  return fixtureOf(recording, words)
}

const limits = {
  minPassRate: 'min-pass-rate',
  minSuccessRate: 'min-success-rate',
  maxToolCalls: 'max-tool-calls',
  maxTokens: 'max-tokens',
} as const

function limitsOf(call: Call): Threshold {
  const given = Object.entries(limits).flatMap(([name, option]) => {
    const value = numberOption(call, option)
    if (value === undefined) return []
    if (value < 0 || (option.endsWith('-rate') && value > 1))
      throw new UsageError(
        `--${option} is ${value}; ${option.endsWith('-rate') ? 'a rate is from 0 to 1' : 'it is at least 0'}.`,
      )
    return [[name, value] as const]
  })
  return Object.fromEntries(given)
}
