import { z } from 'zod'
import { plansOf } from '../plans-of.ts'
import { startedText } from '../pure/plan-text.ts'
import { withoutAbsent } from '../pure/without-absent.ts'
import { tool } from '../tool.ts'

export const planStart = tool({
  name: 'plan_start',
  description:
    'Hand work to a durable plan that workers run, also after this session ends. Give a goal, or a plan file (YAML) with steps.',
  input: z.strictObject({
    goal: z.string().min(1).optional(),
    file: z.string().min(1).optional().describe('The text of a plan file'),
    inputs: z.record(z.string(), z.unknown()).optional().describe('Inputs of the plan file'),
    maxCost: z.number().positive().optional().describe('Most dollars for models'),
  }),
  hints: { title: 'Start a plan', readOnlyHint: false, destructiveHint: false, idempotentHint: false },
  answer: async (port, wish, by) => startedText(await plansOf(port).start(withoutAbsent(wish), by)),
})
