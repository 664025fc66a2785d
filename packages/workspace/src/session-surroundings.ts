/**
 * Which agent sessions on this machine are captured, and how they are found and read. Capture and `agentm doctor` both ask here, so that
 * they count the same sessions.
 */
import { type ConfigValues, settings } from '@agentm/settings'
import type { HostSurroundings, OpenDatabase, SessionSearch, TranscriptHost } from '@agentm/transcripts'
import { fromHome } from './session-places.ts'
import type { WorkspaceBase } from './workspace-base.ts'

/** Where the hosts keep their sessions. */
export function sessionSurroundings({ home, env }: WorkspaceBase['world'], values: ConfigValues): HostSurroundings {
  const plain = values['capture.plain']
  const roots = plain === undefined ? {} : { roots: { plain: fromHome(plain, home) } }
  return { home, env, openDatabase, ...roots }
}

/** The search for the sessions of `hosts` (default: those that the user's config names). */
export function sessionSearch(
  world: WorkspaceBase['world'],
  values: ConfigValues,
  hosts: readonly TranscriptHost[] = capturedHosts(values),
): SessionSearch {
  return { hosts, ...sessionSurroundings(world, values) }
}

function capturedHosts(values: ConfigValues): readonly TranscriptHost[] {
  const named = values['capture.hosts'] ?? settings['capture.hosts'].default
  return values['capture.plain'] === undefined ? named : [...named, 'plain']
}

/** opencode keeps its sessions in SQLite, and Node 20 has none of its own. */
const openDatabase: OpenDatabase = async (file) => {
  const { openForeignFile } = await import('@agentm/nodes-sqlite/foreign')
  const opened = await openForeignFile(file)
  return {
    all: (sql, ...values) => opened.rows(sql, ...values),
    close: () => {
      opened.close()
    },
  }
}
