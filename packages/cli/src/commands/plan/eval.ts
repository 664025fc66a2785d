/** Tests the plan engine against fixtures: plans with scripted or recorded outcomes. */
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
import { numberOption } from '../number-options.ts'
import { ErasedError, findPlanId } from './find-row.ts'
import { readFixtures } from './read-fixtures.ts'

export const evaluate: Command = {
  takes: '[SUITE]',
  summary: 'test the plan engine against recorded plans, and name every limit that is exceeded',
  details:
    'SUITE is seed, extended, a fixture file, or a directory of fixture files (default: seed). agentm trace PLAN --fixture NAME prints a ' +
    'fixture. Each suite has its own limits; an option replaces one, and 0 turns it off. The exit code is 0 when every limit is kept, 1 when not.',
  options: {
    'min-pass-rate': { value: 'RATE', help: 'least share of fixtures that went as expected, from 0 to 1' },
    'min-success-rate': { value: 'RATE', help: 'least share of plans that succeeded, from 0 to 1' },
    'max-tool-calls': { value: 'N', help: 'most tool calls in total' },
    'max-tokens': { value: 'N', help: 'most tokens in total' },
    'from-trace': {
      value: 'PLAN',
      help: 'use a plan from your log as a fixture; may be given several times',
      repeats: true,
    },
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
    if (named !== undefined) throw new UsageError('a suite and --from-trace cannot be combined. Use one of them.')
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
        `--${option} does not accept ${value}. Use ${option.endsWith('-rate') ? 'a number from 0 to 1' : 'a number that is at least 0'}.`,
      )
    return [[name, value] as const]
  })
  return Object.fromEntries(given)
}
