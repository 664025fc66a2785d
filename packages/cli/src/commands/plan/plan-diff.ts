/** Compares two plans, step by step. */
import { AbsentNodeError } from '@agentm/nodes'
import type { Command } from '../../command.ts'
import { findPlanId } from './find-row.ts'
import { comparisonText } from './pure/comparison-text.ts'
import { lookingAtPlans } from './with-plans.ts'

export const planDiff: Command = {
  takes: 'PLAN OTHER',
  summary: 'compare two plans step by step: status, time, cost, inputs and outputs',
  details:
    'Steps are matched by their keys, then by titles that only one step of each plan has; in plans that belong together, then by their place. ' +
    'Secrets are replaced, and long texts are cut around the place where they differ. Plans that have nothing to do with each other are compared, too, and the ' +
    'answer says so. For what the steps of one plan changed in files: agentm diff.',
  options: { all: { help: 'also show steps in which nothing differs' } },
  run: (call) => {
    const [one = '', other = ''] = call.args
    return lookingAtPlans(
      call,
      async (opened) => {
        const [a, b] = [await findPlanId(opened, one), await findPlanId(opened, other)]
        const found = await opened.harness.compare(a, b)
        return { text: comparisonText(found, { all: call.has('all') }), data: found }
      },
      () => {
        throw new AbsentNodeError(one)
      },
    )
  },
}
