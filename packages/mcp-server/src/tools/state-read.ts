import { z } from 'zod'
import { withoutAbsent } from '../pure/without-absent.ts'
import { tool } from '../tool.ts'

export const stateRead = tool({
  name: 'state_read',
  description:
    'Read the plan this checkout works on, its progress, or another state file. Writing is agentm state write.',
  input: z.strictObject({
    file: z.string().min(1).default('plan').describe('plan, progress, or a file name such as features.json'),
    plan: z.string().optional().describe('A named plan; the active one where absent'),
  }),
  output: z.object({
    name: z.string(),
    found: z.boolean(),
    text: z.string().optional(),
    notices: z.array(z.string()),
  }),
  hints: { title: 'Read plan or progress', readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  async answer(port, given) {
    const { name, text, notices } = await port.readState(withoutAbsent(given))
    const told = notices.map((notice) => `(${notice})`)
    return {
      text: [text ?? `There is no ${name} here.`, ...told].join('\n'),
      data: { ...withoutAbsent({ text }), name, found: text !== undefined, notices: [...notices] },
    }
  },
})
