import { z } from 'zod'
import { plansOf } from '../plans-of.ts'
import { withoutAbsent } from '../pure/without-absent.ts'
import { tool } from '../tool.ts'

export const planChange = tool({
  name: 'plan_change',
  description:
    'Answer a question of a plan, pause, resume or cancel it, or retry a step. Approvals, and what a person paused, stay for the user.',
  input: z.strictObject({
    plan: z.string().min(1).describe('Id of the plan, or of a step for answer and retry'),
    do: z.enum(['answer', 'pause', 'resume', 'cancel', 'retry']),
    answer: z.string().min(1).optional(),
    question: z.string().min(1).optional().describe('One of several questions of a step (default: the oldest)'),
    reason: z.string().optional(),
  }),
  hints: { title: 'Change a plan', readOnlyHint: false, destructiveHint: true, idempotentHint: false },
  answer: (port, change, by) => plansOf(port).change(withoutAbsent(change), by),
})
