/** The coding agents that can be kinds of steps, by the name of their kind, and what is needed to find each. */

/** A coding agent that a step can run: the name of its kind. */
export type CodingAgentName = 'claude-code' | 'codex' | 'gemini' | 'opencode'

export interface CodingAgentFacts {
  /** As people call it. */
  readonly title: string
  /** The program that is searched on the PATH. */
  readonly program: string
  /** The npm package that installs it. */
  readonly npmPackage: string
  /** Variables that say where its files are. They hold no secrets, so it always sees them. */
  readonly places: readonly string[]
  /** Whether it reports what it cost. For the others, the price comes from the configuration. */
  readonly reportsCost: boolean
}

export const codingAgents: Readonly<Record<CodingAgentName, CodingAgentFacts>> = {
  'claude-code': {
    title: 'Claude Code',
    program: 'claude',
    npmPackage: '@anthropic-ai/claude-code',
    places: ['CLAUDE_CONFIG_DIR'],
    reportsCost: true,
  },
  codex: {
    title: 'Codex',
    program: 'codex',
    npmPackage: '@openai/codex',
    places: ['CODEX_HOME'],
    reportsCost: false,
  },
  gemini: {
    title: 'Gemini CLI',
    program: 'gemini',
    npmPackage: '@google/gemini-cli',
    places: ['GEMINI_CLI_HOME'],
    reportsCost: false,
  },
  opencode: {
    title: 'opencode',
    program: 'opencode',
    npmPackage: 'opencode-ai',
    places: ['XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME', 'XDG_CACHE_HOME'],
    // It knows prices of models in its own list only, and reports 0 for all others.
    reportsCost: false,
  },
}

/** The names of the kinds. */
export const codingAgentNames = Object.keys(codingAgents) as readonly CodingAgentName[]
