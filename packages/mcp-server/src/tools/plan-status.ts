import { z } from 'zod'
import { plansOf } from '../plans-of.ts'
import { listText, lookText } from '../pure/plan-text.ts'
import { tool } from '../tool.ts'

export const planStatus = tool({
  name: 'plan_status',
  description: 'Look at a plan: its steps, results and questions. Without an id, list the open plans.',
  input: z.strictObject({
    plan: z.string().min(1).optional().describe('Beginning of its id'),
    waitSeconds: z.number().min(0).max(50).default(0).describe('Wait so long for its end or a question'),
  }),
  hints: { title: 'Look at plans', readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  async answer(port, { plan, waitSeconds }) {
    const plans = plansOf(port)
    return plan === undefined
      ? listText(await plans.list())
      : lookText(await plans.look(plan, { waitMs: waitSeconds * 1000 }))
  },
})
