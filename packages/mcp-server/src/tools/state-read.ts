import { dataNotice, oneLine, quoted } from '@agentm/memory/shown'
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
  hints: { title: 'Read plan or progress', readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  async answer(port, given) {
    if (given.file === 'trace') return traced(port, given.plan)
    const { name, text, notices } = await port.readState(withoutAbsent(given))
    const said = text === undefined ? `There is no ${oneLine(name)} here.` : framed(oneLine(name), text)
    return [said, ...notices.map((notice) => `(${oneLine(notice)})`)].join('\n')
  },
})

async function traced(port: MemoryPort, plan: string | undefined): Promise<string> {
  if (plan === undefined)
    throw new McpServerError('INVALID_INPUT', 'state_read: say whose trace; plan is the id of the plan.')
  const { planId, timeline, complete, stepCount } = await port.readTrace(plan)
  const end = complete ? 'over' : stepCount === 0 ? 'not known here' : 'not over'
  return framed(`Trace of ${oneLine(planId)}, ${stepCount} steps, ${end}`, timeline)
}

/** Plans and traces hold what a checkout, tools and agents wrote. */
function framed(title: string, text: string): string {
  return `${dataNotice}\n\n${title}:\n${quoted(text)}`
}
