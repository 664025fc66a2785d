/** Deletes what a plan changed, without applying it. */
import { type Answer, type Call, type Command, UsageError } from '../../command.ts'
import { findAnyRow } from './find-row.ts'
import { planTrees, refuseOpen } from './plan-trees.ts'
import { shortId } from './pure/short-id.ts'
import { changingPlans } from './with-plans.ts'

export const discard: Command = {
  takes: 'PLAN',
  summary: 'delete what the steps of a plan changed, without applying it',
  details:
    'Removes the copies of the folder and their branches. Your folder stays as it is; if agentm apply was interrupted, what it had written is ' +
    'taken back first. The log keeps what was recorded about the changes: agentm diff.',
  options: { yes: { help: 'do not ask; required without a terminal' } },
  run: (call) =>
    changingPlans(call, async (opened): Promise<Answer> => {
      const trees = await import('@agentm/harness/trees')
      const { root } = await opened.trees()
      const words = call.args[0] ?? ''
      // Trees of a plan that is erased, or no longer in the log, are known by their directory.
      const lost = (await trees.leftOverTrees(root)).find(({ planId }) => planId === words || shortId(planId) === words)
      const plan = lost && (await opened.store.log.latest(lost.planId, { owner: lost.owner }))
      if (lost !== undefined && (plan === undefined || plan.redacted)) {
        await agreed(call, shortId(lost.planId))
        await trees.removeLeftOver(lost, root)
        return answer(lost.planId)
      }
      const { id, of } = await findAnyRow(opened, words)
      if (of !== 'plan') throw new UsageError(`"${words}" is a step, and this command takes a plan.`)
      const place = await planTrees(opened, id)
      refuseOpen((await opened.harness.plan(id)).payload.status, id, 'discarded')
      await agreed(call, shortId(id))
      await trees.discardPlan(place)
      return answer(id)
    }),
}

function answer(planId: string): Answer {
  return { text: `Discarded what ${shortId(planId)} changed.`, data: { planId } }
}

async function agreed({ terminal, json, has }: Call, what: string): Promise<void> {
  if (has('yes')) return
  if (!terminal.isInteractive || json)
    throw new UsageError(
      'nothing was discarded, because that cannot be undone and nobody confirmed it. To confirm: agentm discard PLAN --yes',
    )
  if ((await terminal.ask(`Permanently delete what ${what} changed? Type yes: `)) !== 'yes')
    throw new UsageError('nothing was discarded, because you did not type yes.')
}
