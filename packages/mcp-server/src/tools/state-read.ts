import { z } from 'zod'
import { McpServerError } from '../mcp-server-error.ts'
import type { MemoryPort } from '../memory-port.ts'
import { withoutAbsent } from '../pure/without-absent.ts'
import { tool } from '../tool.ts'

export const stateRead = tool({
  name: 'state_read',
  description: "Read this checkout's plan, progress or another state file, or a plan's trace.",
  input: z.strictObject({
    file: z.string().min(1).default('plan').describe('plan, progress, trace, or a file name'),
    plan: z.string().optional().describe('A named plan; for trace, its id'),
  }),
  output: z.object({
    name: z.string(),
    found: z.boolean(),
    text: z.string().optional(),
    notices: z.array(z.string()),
    planId: z.string().optional(),
    timeline: z.string().optional(),
    complete: z.boolean().optional(),
    stepCount: z.number().optional(),
  }),
  hints: { title: 'Read plan or progress', readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  async answer(port, given) {
    if (given.file === 'trace') return traced(port, given.plan)
    const { name, text, notices } = await port.readState(withoutAbsent(given))
    const told = notices.map((notice) => `(${notice})`)
    return {
      text: [text ?? `There is no ${name} here.`, ...told].join('\n'),
      data: { ...withoutAbsent({ text }), name, found: text !== undefined, notices: [...notices] },
    }
  },
})

async function traced(port: MemoryPort, plan: string | undefined) {
  if (plan === undefined)
    throw new McpServerError('INVALID_INPUT', 'state_read: say whose trace; plan is the id of the plan.')
  const { planId, timeline, complete, stepCount } = await port.readTrace(plan)
  const facts = { planId, timeline, complete, stepCount }
  return { text: timeline, data: { name: 'trace', found: stepCount > 0, notices: [], ...facts } }
}
