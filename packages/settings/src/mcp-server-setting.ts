/** `tools.mcp.NAME`: an MCP server whose tools agents may use, started as a program or reached at an address. */
import { object, type Parser } from './parser.ts'

/** An MCP server whose tools agents may use (`tools.mcp.NAME`): a program to start, or an address. */
export type McpServerSetting =
  | {
      readonly command: string
      readonly args?: readonly string[]
      /** Variables of the environment that the program may see. */
      readonly variables?: readonly string[]
      readonly timeoutMs?: number
    }
  | {
      readonly url: string
      /** The variable that holds its key. */
      readonly keyVariable?: string
      readonly timeoutMs?: number
    }

export const mcpServerSetting: Parser<McpServerSetting> = object(
  'a server such as {"command": "npx", "args": ["some-server"]} or {"url": "https://…"}',
  (value) => {
    const shape = 'url' in value ? addressShape : commandShape
    for (const [key, field] of Object.entries(value)) {
      const isFine = shape[key]
      if (isFine === undefined) return `"${key}" is none of ${Object.keys(shape).join(', ')}`
      if (!isFine(field)) return `"${key}" is ${JSON.stringify(field)}`
    }
    return 'url' in value || 'command' in value ? undefined : 'neither "command" nor "url" is there'
  },
)

const filled = (value: unknown) => typeof value === 'string' && value !== ''
const strings = (value: unknown) => Array.isArray(value) && value.every((part) => typeof part === 'string')
const milliseconds = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 1

type Shape = Readonly<Record<string, (value: unknown) => boolean>>

const commandShape: Shape = { command: filled, args: strings, variables: strings, timeoutMs: milliseconds }
const addressShape: Shape = {
  url: (value) => typeof value === 'string' && /^https?:\/\/[^\s/]/.test(value) && URL.canParse(value),
  keyVariable: filled,
  timeoutMs: milliseconds,
}
