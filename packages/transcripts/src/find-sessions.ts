/** The sessions that the hosts have stored on this machine. */
import { join } from 'node:path'
import { hostRoot } from './host-roots.ts'
import type { OpenDatabase } from './host-surroundings.ts'
import { nodeFiles } from './node-files.ts'
import { openSqlite } from './open-sqlite.ts'
import { opencodeDatabaseSessions } from './opencode-database.ts'
import { sourceFacts, sourcePatterns } from './pure/source-name.ts'
import type { SessionSource } from './session-source.ts'
import type { HostSurroundings } from './host-surroundings.ts'
import { type TranscriptHost, transcriptHosts } from './transcript-hosts.ts'
import type { TranscriptFiles } from './transcript-files.ts'

/** Which sessions are wanted. */
export interface SessionSearch extends HostSurroundings {
  /** The hosts to ask (default: all). */
  readonly hosts?: readonly TranscriptHost[]
  /** Only sessions that their host wrote to at this time or later, in epoch milliseconds. */
  readonly changedSince?: number
}

/** The sessions that were found. */
export interface FoundSessions {
  /** Newest first. */
  readonly sessions: readonly SessionSource[]
  /** Places that could not be read; what stands in them is not among the sessions. */
  readonly unreadable: readonly UnreadablePlace[]
}

/** A place that could not be read. */
export interface UnreadablePlace {
  readonly host: TranscriptHost
  readonly source: string
  /** The code of the fault, such as `EACCES`; `COMPRESSED` for a compressed session of Codex. */
  readonly code: string
}

/**
 * Lists the stored sessions of the hosts, newest first. A host that is not installed has none.
 *
 * @example
 * ```ts
 * import { findSessions } from '@agentm/transcripts'
 *
 * const { sessions } = await findSessions({ home: '/nowhere', env: {} })
 * console.log(sessions.length) // 0
 * ```
 */
export async function findSessions(search: SessionSearch = {}): Promise<FoundSessions> {
  const found: FoundSessions[] = []
  for (const host of search.hosts ?? transcriptHosts) found.push(await findOfHost(host, search))
  const { changedSince = -Infinity } = search
  const sessions = found
    .flatMap((one) => one.sessions)
    .filter(({ changedAt = Infinity }) => changedAt >= changedSince)
    .toSorted((a, b) => (b.changedAt ?? 0) - (a.changedAt ?? 0) || (a.source < b.source ? -1 : 1))
  return { sessions, unreadable: found.flatMap((one) => one.unreadable) }
}

async function findOfHost(host: TranscriptHost, search: SessionSearch): Promise<FoundSessions> {
  const root = hostRoot(host, search)
  if (root === undefined) return { sessions: [], unreadable: [] }
  const walk = new SourceWalk(host, root, search.files ?? nodeFiles)
  for (const pattern of sourcePatterns[host]) await walk.find([], pattern)
  const { sessions, unreadable } = walk.found()
  if (host === 'gemini') return { sessions: withoutContinued(sessions), unreadable }
  if (host === 'codex') return withoutCompressed({ sessions, unreadable })
  if (host === 'opencode') return openDatabases(root, { sessions, unreadable }, search.openDatabase ?? openSqlite)
  return { sessions, unreadable }
}

/** Codex compresses sessions that were not used for long. One that is also there in lines is read from there. */
function withoutCompressed({ sessions, unreadable }: FoundSessions): FoundSessions {
  const readable = sessions.filter((session) => !isCompressed(session))
  const names = new Set(readable.map(({ source }) => source))
  const compressed = sessions.filter(
    (session) => isCompressed(session) && !names.has(session.source.slice(0, -'.zst'.length)),
  )
  const places = compressed.map(({ host, source }) => ({ host, source, code: 'COMPRESSED' }))
  return { sessions: readable, unreadable: [...unreadable, ...places] }
}

function isCompressed({ source }: SessionSource): boolean {
  return source.endsWith('.zst')
}

/** A document that a newer version continued in lines is read from there. */
function withoutContinued(sessions: readonly SessionSource[]): readonly SessionSource[] {
  const names = new Set(sessions.map(({ source }) => source))
  return sessions.filter(({ source }) => !names.has(`${source}l`))
}

/** The sessions in the databases; files from which a database took its sessions over are left out. */
async function openDatabases(root: string, found: FoundSessions, openDatabase: OpenDatabase): Promise<FoundSessions> {
  const databases = found.sessions.filter(({ source }) => source.endsWith('.db'))
  const sessions: SessionSource[] = []
  const unreadable = [...found.unreadable]
  for (const { source } of databases) {
    try {
      sessions.push(...(await opencodeDatabaseSessions(join(root, source), { openDatabase, name: source })))
    } catch (error) {
      unreadable.push({ host: 'opencode', source, code: codeOf(error) })
    }
  }
  const taken = new Set(sessions.map(({ session, agent }) => agent ?? session))
  const files = found.sessions.filter(({ source, session }) => !source.endsWith('.db') && !taken.has(session))
  return { sessions: [...files, ...sessions], unreadable }
}

function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { readonly code?: unknown }
  if (typeof code !== 'string') throw error
  return code
}

/** Walks down directories whose names fit a pattern, one expression per level. */
class SourceWalk {
  readonly #host: TranscriptHost
  readonly #root: string
  readonly #files: TranscriptFiles
  readonly #sessions = new Map<string, SessionSource>()
  readonly #unreadable = new Map<string, UnreadablePlace>()

  constructor(host: TranscriptHost, root: string, files: TranscriptFiles) {
    this.#host = host
    this.#root = root
    this.#files = files
  }

  found(): FoundSessions {
    return { sessions: [...this.#sessions.values()], unreadable: [...this.#unreadable.values()] }
  }

  async find(parts: readonly string[], [first, ...rest]: readonly RegExp[]): Promise<void> {
    if (first === undefined) return
    const names = (await this.#list(parts)).filter((name) => first.test(name))
    if (rest.length === 0) await Promise.all(names.map((name) => this.#keep([...parts, name])))
    else for (const name of names) await this.find([...parts, name], rest)
  }

  async #list(parts: readonly string[]): Promise<readonly string[]> {
    try {
      return await this.#files.list(join(this.#root, ...parts))
    } catch (error) {
      this.#note(parts, error)
      return []
    }
  }

  async #keep(parts: readonly string[]): Promise<void> {
    try {
      const { isDirectory, bytes, changedAt } = await this.#files.facts(join(this.#root, ...parts))
      if (isDirectory) return
      const source = parts.join('/')
      this.#sessions.set(source, { host: this.#host, source, ...sourceFacts(this.#host, source), bytes, changedAt })
    } catch (error) {
      this.#note(parts, error)
    }
  }

  /** What is absent, or was deleted meanwhile, is no fault; neither is a file where a directory could be. */
  #note(parts: readonly string[], error: unknown): void {
    const { code } = (error ?? {}) as { readonly code?: unknown }
    if (code === 'ENOENT' || code === 'ENOTDIR') return
    if (typeof code !== 'string') throw error
    const source = parts.join('/')
    this.#unreadable.set(source, { host: this.#host, source, code })
  }
}
