/** What doctor advises helps: each situation is made, and what is advised is done until nothing is. */
import path from 'node:path'
import { harnessConcepts, openHarness } from '@agentm/harness'
import { openSqliteStore } from '@agentm/nodes-sqlite'
import { filePath } from '@agentm/vault-lock'
import { expect, it } from 'vitest'
import { shortId } from '../src/commands/plan/pure/short-id.ts'
import { PlanWorld } from './plan-world.ts'

type Harness = ReturnType<typeof openHarness>
type Situation = (harness: Harness, stepId: string, planId: string) => Promise<unknown>

const hour = 3_600_000
const failWith =
  (more: object): Situation =>
  async (harness, stepId) => {
    const { version } = await harness.startStep(stepId, 'gone')
    await harness.failStep(stepId, { failure: { cause: 'step', message: 'no', ...more }, fence: version })
  }
const ask =
  (more: object): Situation =>
  async (harness, stepId) => {
    await harness.startStep(stepId, 'gone')
    await harness.askQuestion(stepId, { question: { id: 'q', text: 'Well?', ...more } })
  }
const pauseAfter =
  (situation: Situation): Situation =>
  async (harness, stepId, planId) => {
    await situation(harness, stepId, planId)
    await harness.pausePlan(planId)
  }

const situations: Readonly<Record<string, readonly [make: Situation, advised: RegExp]>> = {
  'ready, and nobody there': [async () => undefined, /^agentm worker$/],
  'lost with its worker': [(harness, stepId) => harness.startStep(stepId, 'gone'), /^agentm worker$/],
  asks: [ask({ allowed: ['approve', 'deny'] }), /^agentm approve \w+$/],
  'asks for one of several': [ask({ allowed: ['red', 'blue'] }), /^agentm approve \w+ --answer ANSWER$/],
  'asks for anything': [ask({}), /^agentm approve \w+ --answer TEXT$/],
  'asked, and it is too late': [ask({ deadline: 1, default: 'approve' }), /^agentm worker$/],
  paused: [pauseAfter(async () => undefined), /^agentm resume \w+$/],
  'paused while it is put off': [pauseAfter(failWith({ retryable: true, retryAfterMs: 50 })), /^agentm resume \w+$/],
  'put off for long': [failWith({ retryable: true, retryAfterMs: hour }), /^agentm retry \w+ && agentm worker$/],
  'put off for a moment': [failWith({ retryable: true, retryAfterMs: 50 }), /^agentm worker$/],
  'failed for good': [failWith({ retryable: false }), /^agentm retry \w+$/],
  'waits for a time that has come': [
    async (harness, stepId) => {
      await harness.startStep(stepId, 'gone')
      await harness.blockStep(stepId, { waitsFor: { for: 'time', until: 1 } })
    },
    /^agentm worker$/,
  ],
  'done, and its plan was not ended': [
    async (harness, stepId) => {
      await harness.startStep(stepId, 'gone')
      await harness.completeStep(stepId)
    },
    /^agentm worker$/,
  ],
}

it('helps', { timeout: 180_000 }, async () => {
  const { cli } = await PlanWorld.make()
  await cli.agentm(['config', 'set', 'owner', 'ada'])
  const store = await openSqliteStore({
    path: filePath(path.join(cli.home, '.agentm', 'log', 'agentm.db')),
    concepts: harnessConcepts,
  })
  const harness = openHarness({ store, owner: 'ada', actor: 'test' })
  try {
    const made: { readonly planId: string; readonly expected: RegExp; readonly title: string }[] = []
    for (const [title, [make, expected]] of Object.entries(situations)) {
      const step = { key: 'a', title, kind: 'command', input: { command: 'true' }, retry: { maxFailures: 3 } }
      const { planId, steps } = await harness.createPlan({ goal: title, steps: [step] })
      await make(harness, steps['a'] ?? '', planId)
      made.push({ planId, expected, title })
    }
    let advice = await advised(cli)
    for (const { planId, expected, title } of made) {
      const own = advice.filter(({ text }) => text.startsWith(shortId(planId)))
      expect([title, own.map(({ command }) => command)]).toEqual([title, [expect.stringMatching(expected)]])
    }
    for (let round = 0; round < 6 && advice.length > 0; round++) {
      const commands = [...new Set(advice.flatMap((each) => each.command.split(' && ')))]
      for (const command of commands.filter((each) => each !== 'agentm worker'))
        expect([command, (await cli.agentm(wordsOf(command))).code]).toEqual([command, 0])
      if (commands.includes('agentm worker')) await cli.agentm(['worker', '--once'])
      advice = await advised(cli)
    }
    const ended = await Promise.all(
      made.map(async ({ planId, title }) => [title, (await harness.plan(planId)).payload.status]),
    )
    expect(ended).toEqual(made.map(({ title }) => [title, 'done']))
  } finally {
    await store.close()
  }
})

async function advised(cli: PlanWorld['cli']): Promise<readonly { readonly text: string; readonly command: string }[]> {
  const { rows } = (await cli.json(['doctor'])) as { rows: readonly { name: string; status: string; text: string }[] }
  return rows
    .filter(({ name, status }) => name === 'plans' && status === 'warn')
    .map(({ text }) => ({ text, command: /(?:To (?:continue|retry|end) it: )(.*)$/.exec(text)?.[1] ?? '' }))
}

/** What a person puts in: an answer where one is asked for. */
function wordsOf(command: string): readonly string[] {
  const words = command.split(' ').slice(1)
  return words.map((word) => (word === 'ANSWER' || word === 'TEXT' ? 'red' : word))
}
