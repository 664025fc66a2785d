/** Brings what a plan changed into the user's folder, or leaves it as a branch. */
import { type Command, UsageError } from '../../command.ts'
import { findPlanId } from './find-row.ts'
import { planTrees, refuseOpen } from './plan-trees.ts'
import { shortId } from './pure/short-id.ts'
import { changingPlans } from './with-plans.ts'
import { commandWord } from '../../typed.ts'

export const apply: Command = {
  takes: 'PLAN',
  summary: 'bring what the steps of a plan changed into your folder',
  details:
    'Writes all files or none. Files with uncommitted changes are never overwritten: they are named, and nothing is written. Commits made since ' +
    'the plan started are merged. The changes are not committed and not staged. If the command is interrupted while it writes, call it again; ' +
    'agentm discard takes back what was written. The copies and branches of the plan are then removed.',
  options: {
    branch: { value: 'NAME', help: 'leave the result as a new branch instead, with one commit for each step' },
    partial: { help: 'apply what the finished steps of a failed or cancelled plan changed' },
  },
  run: (call) =>
    changingPlans(call, async (opened) => {
      const planId = await findPlanId(opened, call.args[0] ?? '')
      const place = await planTrees(opened, planId)
      const { status } = (await opened.harness.plan(planId)).payload
      refuseOpen(status, planId, 'applied')
      if (status !== 'done' && !call.has('partial'))
        throw new UsageError(
          `nothing was applied, because the plan is ${status}. To apply what its finished steps changed: ${commandWord()} apply ${shortId(planId)} --partial`,
        )
      const branch = call.get('branch')
      const { applyPlan } = await import('@agentm/harness/trees')
      const applied = await applyPlan(place, branch === undefined ? {} : { branch })
      const count = applied.files.length === 1 ? '1 file' : `${applied.files.length} files`
      const where =
        branch === undefined ? `in ${place.trees.folder}. Nothing is staged or committed.` : `on the branch ${branch}.`
      const text =
        applied.files.length === 0
          ? 'The plan changed no files.'
          : `Applied ${shortId(planId)}: ${count} changed ${where}`
      return { text, data: { planId, ...applied } }
    }),
}
