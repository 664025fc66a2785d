/** The data directory of each host, as the host itself finds it. */
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { HostSurroundings } from './host-surroundings.ts'
import type { TranscriptHost } from './transcript-hosts.ts'

/** The data directory of a host, or `undefined` if it has none by default. */
export function hostRoot(host: TranscriptHost, surroundings: HostSurroundings): string | undefined {
  const named = surroundings.roots?.[host]
  if (named !== undefined) return named
  const env = surroundings.env ?? process.env
  const home = surroundings.home ?? homedir()
  if (host === 'claude-code') return set(env['CLAUDE_CONFIG_DIR']) ?? join(home, '.claude')
  if (host === 'codex') return set(env['CODEX_HOME']) ?? join(home, '.codex')
  if (host === 'gemini') return join(set(env['GEMINI_CLI_HOME']) ?? home, '.gemini')
  if (host === 'opencode') return join(set(env['XDG_DATA_HOME']) ?? join(home, '.local', 'share'), 'opencode')
  return undefined
}

function set(value: string | undefined): string | undefined {
  return value === undefined || value.trim() === '' ? undefined : value
}
