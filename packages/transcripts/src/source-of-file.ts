/** The session of a file that a host named, for example in the input of a hook. */
import { relative, resolve, sep } from 'node:path'
import { hostRoot } from './host-roots.ts'
import { sourceFacts } from './pure/source-name.ts'
import type { SessionSource } from './session-source.ts'
import type { HostSurroundings } from './host-surroundings.ts'
import type { TranscriptHost } from './transcript-hosts.ts'

/**
 * The session that a file holds, or `undefined` if the file is not below the data directory of the host. The file is not read.
 *
 * @example
 * ```ts
 * import { sourceOfFile } from '@agentm/transcripts'
 *
 * const source = sourceOfFile('claude-code', '/home/me/.claude/projects/-work/0a1b.jsonl', { home: '/home/me', env: {} })
 * console.log(source?.source, source?.session) // projects/-work/0a1b.jsonl 0a1b
 * ```
 */
export function sourceOfFile(
  host: TranscriptHost,
  file: string,
  surroundings: HostSurroundings = {},
): SessionSource | undefined {
  const root = hostRoot(host, surroundings)
  if (root === undefined) return undefined
  const parts = relative(resolve(root), resolve(file)).split(sep)
  const isBelow = parts[0] !== '' && parts[0] !== '..' && !/^[A-Za-z]:$/.test(parts[0] ?? '')
  const source = parts.join('/')
  return isBelow ? { host, source, ...sourceFacts(host, source) } : undefined
}
