/** `codingAgents.NAME`: how a coding agent is started that carries out steps. */
import { object, type Parser } from './parser.ts'

/** How a coding agent is started that carries out steps (`codingAgents.NAME`). */
export interface CodingAgentSetting {
  /** The program (default: the agent's own name, searched on the PATH). */
  readonly command?: string
  /** Its first arguments. */
  readonly args?: readonly string[]
  /** More variables of the environment that it may see, such as that of its key. */
  readonly variables?: readonly string[]
}

export const codingAgentSetting: Parser<CodingAgentSetting> = object(
  'an agent such as {"command": "/opt/bin/claude", "variables": ["ANTHROPIC_API_KEY"]}',
  (value) => {
    for (const [key, field] of Object.entries(value)) {
      const isFine = shape[key]
      if (isFine === undefined) return `"${key}" is none of ${Object.keys(shape).join(', ')}`
      if (!isFine(field)) return `"${key}" is ${JSON.stringify(field)}`
    }
    return undefined
  },
)

const strings = (value: unknown) => Array.isArray(value) && value.every((part) => typeof part === 'string')

const shape: Readonly<Record<string, (value: unknown) => boolean>> = {
  command: (value) => typeof value === 'string' && value !== '',
  args: strings,
  variables: strings,
}
