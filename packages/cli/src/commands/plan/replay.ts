/** Replays a recorded plan in memory, without side effects, and compares the order of its steps. */
import { type Replay, replayPlan } from '@agentm/harness'
import { AbsentNodeError } from '@agentm/nodes'
import type { Answer, Command } from '../../command.ts'
import { ErasedError, findPlanId } from './find-row.ts'
import { oneLine } from './pure/state-text.ts'
import { shortId } from './pure/short-id.ts'
import { lookingAtPlans } from './with-plans.ts'

export const replay: Command = {
  takes: 'PLAN',
  summary: 'replay a recorded plan without side effects, and compare it with the record',
  details: 'Works for failed plans, too. The exit code is 1 when the replay differs from the record.',
  async run(call) {
    const [words = ''] = call.args
    return lookingAtPlans(
      call,
      async (opened) => {
        const { log, owner } = opened
        const planId = await findPlanId(opened, words)
        const found = await replayPlan(log, { planId, owner })
        if (found === undefined) throw new ErasedError(planId)
        return answer(found)
      },
      () => {
        throw new AbsentNodeError(words)
      },
    )
  },
}

function answer(found: Replay): Answer {
  const { planId, matches, deterministic, reasons, waves, status, disorders } = found
  const text = [
    `Plan ${planId}`,
    `  ${matches ? 'the replay matches the record' : 'the replay differs from the record'}; ${deterministic ? 'only one order is possible' : `several orders are possible: ${reasons.map(oneLine).join('; ')}`}`,
    `  status: recorded ${oneLine(status.recorded)}, replayed ${oneLine(status.replayed)}`,
    ...waves.map((wave) => waveText(wave)),
    ...disorders.map((disorder) => `  out of order: ${oneLine(disorder)}`),
  ].join('\n')
  return { text, data: found, exit: matches ? 0 : 1 }
}

function waveText({ wave, recorded, replayed, matches }: Replay['waves'][number]): string {
  const other = matches ? '' : `; replayed ${listed(replayed)}`
  return `  wave ${wave + 1}  ${matches ? 'same' : 'DIFFERENT'}  ${listed(recorded)}${other}`
}

function listed(ids: readonly string[]): string {
  return ids.map((id) => shortId(id)).join(' ') || 'none'
}
