/** Which coding agent called a hook, and what it said on standard input. */
import { type HookHost, isHookHost } from '../hosts/pure/hook-events.ts'
import { type HookInput, hookInput } from '../hosts/pure/hook-input.ts'
import { type Call, type Option, UsageError } from '../command.ts'

export const hostOption: Option = {
  value: 'HOST',
  help: 'the coding agent that calls: claude-code, codex, gemini, opencode or cursor (default: claude-code)',
}

export function hostOf(call: Call): HookHost {
  const name = call.get('host') ?? 'claude-code'
  if (isHookHost(name)) return name
  throw new UsageError(
    `--host does not accept ${JSON.stringify(name)}. Use claude-code, codex, gemini, opencode or cursor.`,
  )
}

export async function saidByHost(call: Call): Promise<HookInput> {
  return hookInput(hostOf(call), process.stdin.isTTY ? '' : await call.terminal.readInput())
}
