/** What happened to a plan, from its log. */
import { fixtureOf, readRecording } from '@agentm/harness'
import { AbsentNodeError, redactValue } from '@agentm/nodes'
import type { Answer, Call, Command } from '../../command.ts'
import { ErasedError, findPlanId } from './find-row.ts'
import { fullId } from './full-id.ts'
import { lookingAtPlans } from './with-plans.ts'

export const trace: Command = {
  takes: 'PLAN',
  summary: 'what happened to a plan, in order',
  details:
    'With --json: { planId, timeline, complete, stepCount }. A plan that is not there, or not yours, has an empty trace and\n' +
    'exit code 1. --fixture prints the plan as a fixture for agentm eval.',
  options: { fixture: { value: 'NAME', help: 'print it as a fixture of this name instead' } },
  async run(call) {
    const [words = ''] = call.args
    const name = call.get('fixture')
    return name === undefined ? traced(call, await fullId(words, call)) : recorded(call, name)
  },
}

async function traced(call: Call, planId: string): Promise<Answer> {
  const found = await (await call.reader()).trace(planId)
  return { text: found.timeline, data: found, exit: found.stepCount === 0 ? 1 : 0 }
}

async function recorded(call: Call, name: string): Promise<Answer> {
  const [words = ''] = call.args
  return lookingAtPlans(
    call,
    async (opened) => {
      const { log, owner } = opened
      const planId = await findPlanId(opened, words)
      const recording = await readRecording(log, { planId, owner })
      if (recording === undefined) throw new ErasedError(planId)
      const fixture = redactValue(fixtureOf(recording, name))
      return { text: JSON.stringify(fixture, undefined, 2), data: fixture }
    },
    () => {
      throw new AbsentNodeError(words)
    },
  )
}
