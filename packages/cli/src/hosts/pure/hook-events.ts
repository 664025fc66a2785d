/** What each host calls the moments at which it starts a command of ours. A moment that a host does not offer is absent. */

/** A host that starts commands at moments of a session. */
export type HookHost = 'claude-code' | 'codex' | 'gemini' | 'opencode' | 'cursor'

/** A moment of a session, by the word of `agentm hook`. */
export type HookEvent = 'session-start' | 'prompt-submit' | 'pre-compact' | 'stop' | 'session-end' | 'subagent-stop'

export const hookEvents: Readonly<Record<HookHost, Readonly<Partial<Record<HookEvent, string>>>>> = {
  'claude-code': {
    'session-start': 'SessionStart',
    'prompt-submit': 'UserPromptSubmit',
    'pre-compact': 'PreCompact',
    stop: 'Stop',
    'subagent-stop': 'SubagentStop',
    'session-end': 'SessionEnd',
  },
  codex: {
    'session-start': 'SessionStart',
    'prompt-submit': 'UserPromptSubmit',
    'pre-compact': 'PreCompact',
    stop: 'Stop',
    'subagent-stop': 'SubagentStop',
    'session-end': 'SessionEnd',
  },
  // Not PreCompress: Gemini CLI 0.61 fires it before every request to the model, whether it compresses or not.
  gemini: {
    'session-start': 'SessionStart',
    'prompt-submit': 'BeforeAgent',
    stop: 'AfterAgent',
    'session-end': 'SessionEnd',
  },
  // opencode has no hooks that start a command; our plugin starts them at these moments of its own.
  opencode: {
    'session-start': 'chat.message',
    'prompt-submit': 'chat.message',
    'pre-compact': 'experimental.session.compacting',
    stop: 'session.idle',
    'subagent-stop': 'session.idle',
  },
  cursor: {
    'session-start': 'sessionStart',
    'prompt-submit': 'beforeSubmitPrompt',
    'pre-compact': 'preCompact',
    stop: 'stop',
    'subagent-stop': 'subagentStop',
    'session-end': 'sessionEnd',
  },
}

/** Whether a name given on the command line is a host with hooks. */
export function isHookHost(name: string): name is HookHost {
  return Object.hasOwn(hookEvents, name)
}
