/**
 * What happens when an agent stops, shortens its context or ends: what it did so far is captured by a process of its own. Nothing is
 * printed, because each host would read a text as an instruction or a follow-up.
 */
import type { Answer, Call, Command } from '../command.ts'
import type { HookEvent } from '../hosts/pure/hook-events.ts'
import { startCapture } from '../start-capture.ts'
import { hostOf, hostOption, saidByHost } from './called-by-host.ts'

export const hookStop: Command = capturing('stop', 'capture what an agent has just done')
export const hookSubagentStop: Command = capturing('subagent-stop', 'capture what a sub-agent has just done')
export const hookPreCompact: Command = capturing('pre-compact', 'capture a session before its context is shortened')
export const hookSessionEnd: Command = capturing('session-end', 'capture a session that ends')

function capturing(event: HookEvent, summary: string): Command {
  return {
    summary,
    details:
      'Reads the hook input of the coding agent from standard input: {"session_id": "…"}. Prints nothing. The capture runs in a process of ' +
      'its own, which ends within a minute. With AGENTM_CAPTURE=off in the environment, the session is private and never captured. With ' +
      'AGENTM_CAPTURE=later, no process is started, and the next capture reads the session. The exit code is always 0, except for a wrong ' +
      'option (2).',
    options: { host: hostOption },
    run: (call) => handOver(call, event),
  }
}

async function handOver(call: Call, event: HookEvent): Promise<Answer> {
  const host = hostOf(call)
  // A capture needs to know no session: it finds what is new.
  const session = await saidByHost(call).then(
    (input) => input.session,
    () => undefined,
  )
  const started = await startCapture(call, { host, session, ends: event === 'session-end' })
  if (host === 'cursor' && event === 'pre-compact') await forgetShown(call, session)
  return { text: '', data: { started }, exact: true, isLast: true }
}

/** Cursor says nothing after it has shortened a context, and the agent has lost what it was shown. */
async function forgetShown(call: Call, session: string | undefined): Promise<void> {
  const { ShownBefore } = await import('../shown-before.ts')
  const { routing } = await call.reader()
  await new ShownBefore(routing.selection, session).add([], { anew: true })
}
