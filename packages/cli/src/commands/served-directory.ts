/** What the MCP server needs to serve one directory: its memory, its plans, and whether hosts may use those. */
import { type PlansMode, workspacePort } from '@agentm/mcp-server'
import type { Call } from '../command.ts'
import type { planOfText } from '../plan-file/plan-of-text.ts'

export function servedDirectory(call: Pick<Call, 'reader' | 'telemetry'>, directory: string) {
  return {
    open: () => workspacePort(directory, { readPlan, observer: () => call.telemetry.open() }),
    // Read once: a host that should see another setting starts the server anew.
    plansMode: async (): Promise<PlansMode> => (await (await call.reader(directory)).settings())['mcp.plans'] ?? 'off',
  }
}

/** The parser of plan files is loaded when the first plan is started: most sessions start none. */
async function readPlan(...given: Parameters<typeof planOfText>): ReturnType<typeof planOfText> {
  return (await import('../plan-file/plan-of-text.ts')).planOfText(...given)
}
