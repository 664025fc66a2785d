/** What a hook prints, so that a host adds a text to the context of the agent and does nothing else. */
import { type HookEvent, type HookHost, hookEvents } from './hook-events.ts'

/**
 * What to print on standard output. Empty where the host takes no text: at the end of a turn or a session, every host would read one
 * as a decision, a follow-up prompt or an instruction.
 */
export function hookOutput(host: HookHost, event: HookEvent, text: string): string {
  if (text.trim() === '' || !takesContext(host, event)) return ''
  return shapes[host](event, text)
}

/** Whether a text that is printed there reaches the agent. Nothing needs to be searched for where it does not. */
export function takesContext(host: HookHost, event: HookEvent): boolean {
  if (event === 'session-start') return true
  // Cursor shows a text of this hook to nobody; its rule tells the agent to ask.
  if (event === 'prompt-submit') return host !== 'cursor'
  // What our plugin adds to the instructions of a summary is ours to word; the other hosts read a text as instructions of a person.
  return event === 'pre-compact' && host === 'opencode'
}

const shapes: Readonly<Record<HookHost, (event: HookEvent, text: string) => string>> = {
  'claude-code': plain,
  codex: plain,
  gemini: specific('gemini'),
  opencode: (_event, text) => text,
  cursor: (_event, text) => JSON.stringify({ additional_context: text }),
}

/** Plain text costs the fewest tokens. A text that looks like JSON would be parsed, so it is wrapped. */
function plain(event: HookEvent, text: string): string {
  return /^\s*[[{]/.test(text) ? specific('claude-code')(event, text) : text
}

function specific(host: 'claude-code' | 'gemini'): (event: HookEvent, text: string) => string {
  return (event, text) =>
    JSON.stringify({ hookSpecificOutput: { hookEventName: hookEvents[host][event], additionalContext: text } })
}
