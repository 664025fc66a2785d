import { dataNotice, oneLine, quoted } from '@agentm/memory/shown'
import { z } from 'zod'
import { McpServerError } from '../mcp-server-error.ts'
import type { MemoryPort } from '../memory-port.ts'
import { withoutAbsent } from '../pure/without-absent.ts'
import { tool } from '../tool.ts'

export const stateRead = tool({
  name: 'state_read',
  description: "Read this checkout's plan, progress or another state file, a plan's trace, or a past session.",
  input: z.strictObject({
    file: z.string().min(1).default('plan').describe('plan, progress, trace, session, or a file name'),
    plan: z.string().optional().describe('A named plan; for trace or session, its id'),
  }),
  hints: { title: 'Read plan or progress', readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  async answer(port, given) {
    if (given.file === 'trace') return traced(port, given.plan)
    if (given.file === 'session') return told(port, given.plan)
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

async function told(port: MemoryPort, session: string | undefined): Promise<string> {
  if (session === undefined)
    throw new McpServerError('INVALID_INPUT', 'state_read: say which session; plan is its id, or the id of a turn.')
  const { turns, timeline } = await port.readSession(session)
  return framed(`Session, ${turns.length} turns`, timeline)
}

/** Plans, traces and sessions hold what a checkout, tools and agents wrote. */
function framed(title: string, text: string): string {
  return `${dataNotice}\n\n${title}:\n${quoted(text)}`
}
