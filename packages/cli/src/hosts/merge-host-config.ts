/**
 * Adds our server to the configuration of a host. Everything else in the file is kept, comments included. A file that cannot be
 * parsed, and a different entry with our name, are refused.
 */
import { isDeepStrictEqual } from 'node:util'
import type { McpHost } from './mcp-hosts.ts'

export class HostConfigError extends Error {
  override readonly name = 'HostConfigError'
  readonly code = 'HOST_CONFIG'
}

export interface HostEntry {
  readonly host: Pick<McpHost, 'format' | 'servers'>
  readonly entry: Readonly<Record<string, unknown>>
}

const ours = 'agentm'

/** The new text of the file; the same text if our server is already in it. */
export async function mergeHostConfig(text: string | undefined, wanted: HostEntry): Promise<string> {
  return wanted.host.format === 'toml' ? mergeToml(text, wanted) : mergeJson(text, wanted)
}

/** The part that a person can add by hand. */
export async function snippetOf(wanted: HostEntry): Promise<string> {
  return mergeHostConfig(undefined, wanted)
}

async function mergeJson(text: string | undefined, { host, entry }: HostEntry): Promise<string> {
  const { applyEdits, modify } = await import('jsonc-parser')
  const bom = text?.startsWith('\uFEFF') === true ? '\uFEFF' : ''
  const current = text === undefined || text.trim() === '' ? '{}\n' : text.slice(bom.length)
  if (hasOurs(await parseJson(current), host.servers, entry)) return text ?? current
  const edits = modify(current, [...host.servers, ours], entry, { formattingOptions: formattingOf(current) })
  return bom + applyEdits(current, edits)
}

async function parseJson(text: string): Promise<unknown> {
  const { parse, printParseErrorCode } = await import('jsonc-parser')
  const errors: { error: number; offset: number; length: number }[] = []
  const found: unknown = parse(text, errors, { allowTrailingComma: true })
  const [first] = errors
  if (first === undefined) return found
  const line = text.slice(0, first.offset).split('\n').length
  throw new HostConfigError(`is not valid JSON (${printParseErrorCode(first.error)} in line ${line})`)
}

function formattingOf(text: string) {
  const [, indent = '  '] = /\n([ \t]+)\S/.exec(text) ?? []
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  return { insertSpaces: !indent.startsWith('\t'), tabSize: indent.startsWith('\t') ? 1 : indent.length, eol }
}

async function mergeToml(text: string | undefined, { host, entry }: HostEntry): Promise<string> {
  const { stringify } = await import('smol-toml')
  const current = text ?? ''
  const before = await parseToml(current)
  if (hasOurs(before, host.servers, entry)) return current
  const table = stringify(nested([...host.servers, ours], entry)).trim()
  const gap = current === '' ? '' : current.endsWith('\n') ? '\n' : '\n\n'
  const merged = `${current}${gap}${table}\n`
  // An inline table cannot be extended at the end of the file; parsing finds that.
  await parseToml(merged)
  return merged
}

async function parseToml(text: string): Promise<unknown> {
  const { parse } = await import('smol-toml')
  try {
    return parse(text)
  } catch (error) {
    throw new HostConfigError(
      `cannot be changed (${error instanceof Error ? error.message.split('\n')[0] : String(error)})`,
      {
        cause: error,
      },
    )
  }
}

/** Whether our server is already there, as we would write it. Refuses a different entry with our name. */
function hasOurs(document: unknown, servers: readonly string[], entry: HostEntry['entry']): boolean {
  let at: unknown = document
  for (const [i, name] of servers.entries()) {
    if (!isTable(at))
      throw new HostConfigError(
        i === 0 ? 'does not contain an object' : `has a "${servers[i - 1]}" that is not an object`,
      )
    if (!Object.hasOwn(at, name)) return false
    at = at[name]
  }
  if (!isTable(at)) throw new HostConfigError(`has a "${servers.join('.')}" that is not an object`)
  if (!Object.hasOwn(at, ours)) return false
  if (isDeepStrictEqual(JSON.parse(JSON.stringify(at[ours])), entry)) return true
  throw new HostConfigError(`already has a server "${ours}" that is started in another way`)
}

function isTable(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function nested(keys: readonly string[], value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return keys.reduceRight((inner, key) => ({ [key]: inner }), value)
}
