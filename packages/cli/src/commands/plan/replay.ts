/** Lets a recorded plan happen again in memory, without doing anything, and compares. */
import { type Replay, replayPlan } from '@agentm/harness'
import { AbsentNodeError } from '@agentm/nodes'
import type { Answer, Command } from '../../command.ts'
import { ErasedError, findPlanId } from './find-row.ts'
import { oneLine } from './pure/state-text.ts'
import { shortId } from './pure/short-id.ts'
import { lookingAtPlans } from './with-plans.ts'

export const replay: Command = {
  takes: 'PLAN',
  summary: 'let a recorded plan happen again, without doing anything, and compare',
  details: 'Failed plans too. Exit code 1 where it went another way than recorded.',
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
    `  ${matches ? 'happens again as it was recorded' : 'goes another way than it was recorded'}; ${deterministic ? 'there is one right order' : `several orders are right: ${reasons.map(oneLine).join('; ')}`}`,
    `  status: recorded ${oneLine(status.recorded)}, replayed ${oneLine(status.replayed)}`,
    ...waves.map((wave) => waveText(wave)),
    ...disorders.map((disorder) => `  out of order: ${oneLine(disorder)}`),
  ].join('\n')
  return { text, data: found, exit: matches ? 0 : 1 }
}

function waveText({ wave, recorded, replayed, matches }: Replay['waves'][number]): string {
  const other = matches ? '' : `; replayed ${listed(replayed)}`
  return `  wave ${wave + 1}  ${matches ? 'same' : 'OTHER'}  ${listed(recorded)}${other}`
}

function listed(ids: readonly string[]): string {
  return ids.map((id) => shortId(id)).join(' ') || 'none'
}
