/** Permanently deletes the content of a plan or step, after asking. */
import type { Erased } from '@agentm/harness'
import { scanHeads } from '@agentm/nodes'
import type { Plans } from '@agentm/workspace'
import { type Answer, type Call, type Command, UsageError } from '../../command.ts'
import { findAnyRow } from './find-row.ts'
import { planConcept } from './pure/plan-concept.ts'
import { shortId } from './pure/short-id.ts'
import { stepCount } from './pure/step-count.ts'
import { changingPlans } from './with-plans.ts'

export const erase: Command = {
  takes: 'PLAN|STEP',
  summary: 'permanently delete the content of a plan or step',
  details:
    'Deletes the goal, titles, inputs, results, errors, answers and observations, also of the plans that its steps started. Ids, statuses, ' +
    'times and dependencies stay, so agentm trace still shows what happened when. The plan or step must have ended. For notes, use agentm forget --purge.',
  options: { yes: { help: 'do not ask; required without a terminal' } },
  run: (call) =>
    changingPlans(call, async (opened) => {
      const { harness } = opened
      const { of, id } = await findAnyRow({ harness }, call.args[0] ?? '')
      await agreed(call, `${of} ${shortId(id)}`)
      const erased = of === 'plan' ? await harness.erasePlan(id) : await harness.eraseStep(id)
      const planId = of === 'plan' ? id : (await harness.step(id)).payload.planId
      return answer(id, erased, await forksOf(opened, planId))
    }),
}

/** Plans that were forked from this one: what they carried over is a copy. */
async function forksOf({ store, owner }: Plans, planId: string): Promise<readonly string[]> {
  const forks: string[] = []
  for await (const { id, payload, redacted } of scanHeads(store.log, { owner, concepts: [planConcept] }))
    if (!redacted && payload['forkedFrom'] === planId) forks.push(shortId(id))
  return forks
}

async function agreed({ terminal, json, has }: Call, what: string): Promise<void> {
  if (has('yes')) return
  const command = 'agentm erase PLAN|STEP --yes'
  if (!terminal.isInteractive || json)
    throw new UsageError(
      `nothing was erased, because erasing cannot be undone and nobody confirmed it. To confirm: ${command}`,
    )
  if ((await terminal.ask(`Permanently delete the content of ${what}? Type yes: `)) !== 'yes')
    throw new UsageError('nothing was erased, because you did not type yes.')
}

function answer(id: string, erased: Erased, forks: readonly string[]): Answer {
  const { plans, steps, records } = erased
  const counts = [
    ...(plans === 0 ? [] : [plans === 1 ? '1 plan' : `${plans} plans`]),
    ...(steps === 0 ? [] : [stepCount(steps)]),
    ...(records === 0 ? [] : [records === 1 ? '1 record' : `${records} records`]),
  ]
  const text =
    counts.length === 0
      ? `${shortId(id)} was already erased.`
      : `Erased ${shortId(id)}: ${counts.join(', ')}. Ids, statuses and times stay.`
  return {
    text,
    data: { id, ...erased },
    notices: [
      ...(forks.length === 0
        ? []
        : [`${forks.join(', ')} ran it again, and may still hold what was carried over. Erase that, too.`]),
      'this does not delete backups of the log, beliefs that were learned from it (see agentm beliefs), or files that its steps wrote.',
    ],
  }
}
