/** Shows what the steps of a plan changed in their trees. */
import type { PlanDiff } from '@agentm/harness/trees'
import { type Answer, type Command, UsageError } from '../../command.ts'
import { findPlanId, findRow } from './find-row.ts'
import { planTrees } from './plan-trees.ts'
import { changingPlans } from './with-plans.ts'

export const diff: Command = {
  takes: 'PLAN',
  summary: 'show what the steps of a plan changed, apart from your folder',
  details:
    'For plans whose steps work in copies of the folder (--trees own or shared). Shows the merged result of the steps that are done. After ' +
    'agentm apply or agentm discard it shows what was recorded, step by step: secrets are masked, and long texts are cut.',
  options: {
    step: { value: 'STEP', help: 'only what this step changed' },
    stat: { help: 'only the names of the files, and how many lines were added and removed' },
  },
  run: (call) =>
    changingPlans(call, async (opened) => {
      const planId = await findPlanId(opened, call.args[0] ?? '')
      const words = call.get('step')
      const row =
        words === undefined
          ? undefined
          : await findRow(opened, words.includes('/') ? words : `${call.args[0]}/${words}`).catch(() =>
              findRow(opened, words),
            )
      if (row !== undefined && row.of !== 'step') throw new UsageError(`"${words}" is a plan. Name a step with --step.`)
      const { diffPlan } = await import('@agentm/harness/trees')
      const { owner, store } = opened
      const place = await planTrees(opened, planId)
      return answer(await diffPlan(place, { log: store.log, owner, ...(row && { stepId: row.id }) }), call.has('stat'))
    }),
}

function answer(found: PlanDiff, isShort: boolean): Answer {
  const { files, diff: text, cut, from } = found
  const notices = cut && !isShort ? ['the text is too long to be shown whole. To list the files: --stat'] : []
  const shown = isShort ? statText(files) : text.trimEnd()
  const { diff: _diff, ...short } = found
  return {
    text: files.length === 0 ? 'Nothing was changed.' : shown,
    data: isShort ? short : found,
    notices:
      from === 'log'
        ? ['the copies are gone or elsewhere; this is what was recorded when the steps ended.', ...notices]
        : notices,
  }
}

function statText(files: PlanDiff['files']): string {
  const lines = files.map(({ path, added, removed }) =>
    added === undefined ? `  ${path}  binary` : `  ${path}  +${added} -${removed}`,
  )
  return [files.length === 1 ? '1 file changed:' : `${files.length} files changed:`, ...lines].join('\n')
}
