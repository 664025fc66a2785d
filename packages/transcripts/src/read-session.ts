/** Reads what a host added to a session since the last time. */
import { join } from 'node:path'
import { hostRoot } from './host-roots.ts'
import { nodeFiles } from './node-files.ts'
import { readLineSession } from './read-line-session.ts'
import type { SessionBatch } from './session-batch.ts'
import { openOpencodeDatabase } from './opencode-database.ts'
import { openOpencodeFiles } from './opencode-files.ts'
import { openSqlite } from './open-sqlite.ts'
import { sourceFacts } from './pure/source-name.ts'
import type { SessionIdentity } from './pure/transcript-parser.ts'
import { readDocumentSession } from './read-document-session.ts'
import { readOpencodeSession } from './read-opencode-session.ts'
import { checkCursor, type SessionCursor } from './session-cursor.ts'
import type { SessionSource } from './session-source.ts'
import type { HostSurroundings, OpenDatabase } from './host-surroundings.ts'
import { SessionAbsentError, SessionUnreadableError } from './transcript-errors.ts'
import type { TranscriptFiles } from './transcript-files.ts'

/** From where, and how, a session is read. */
export interface ReadOptions extends HostSurroundings {
  /** Where the last read ended; without one, the session is read from its first record. */
  readonly cursor?: SessionCursor | undefined
  /** Stops the reading. */
  readonly signal?: AbortSignal | undefined
  /** A longer record is not read; it becomes `unknown` with its length (default: 16 MiB). */
  readonly maxRecordBytes?: number
}

/** What the readers of the different forms need. */
export interface SessionRead {
  readonly source: SessionSource
  /** What is known of the session before its first record. */
  readonly about: SessionIdentity
  readonly cursor: SessionCursor | undefined
  readonly signal: AbortSignal | undefined
  readonly maxRecordBytes: number
}

/**
 * Reads a session from where the cursor says, in batches and in constant memory. Gives nothing if nothing was added.
 *
 * @example
 * ```ts
 * import { readSession } from '@agentm/transcripts'
 *
 * const source = { host: 'plain', source: 'no-such-session.jsonl' } as const
 * const read = async () => {
 *   for await (const { events } of readSession(source, { roots: { plain: '/nowhere' } })) console.log(events.length)
 * }
 * console.log(await read().catch((error: unknown) => (error as { code: string }).code)) // SESSION_ABSENT
 * ```
 */
export async function* readSession(source: SessionSource, options: ReadOptions = {}): AsyncIterable<SessionBatch> {
  const { cursor, signal, maxRecordBytes = 16 * 1024 * 1024 } = options
  signal?.throwIfAborted()
  if (cursor !== undefined) checkCursor(cursor, source)
  const place = placeOf(source, options)
  const about = { ...sourceFacts(source.host, source.source), ...source, ...(await projectOf(source, place)) }
  const read = { source, about, cursor, signal, maxRecordBytes }
  if (source.host === 'opencode') yield* readOpencode(read, place)
  else yield* readFileSession(read, place)
}

interface Place {
  readonly root: string
  readonly parts: readonly string[]
  readonly files: TranscriptFiles
  readonly openDatabase: OpenDatabase
}

function placeOf(source: SessionSource, options: ReadOptions): Place {
  const root = hostRoot(source.host, options)
  const parts = source.source.split('/')
  if (root === undefined || parts.some((part) => part === '..' || part === '' || part.includes('\0')))
    throw new SessionAbsentError(source)
  return { root, parts, files: options.files ?? nodeFiles, openDatabase: options.openDatabase ?? openSqlite }
}

async function* readFileSession(read: SessionRead, { root, parts, files }: Place): AsyncIterable<SessionBatch> {
  const file = await faultsNamed(read.source, () => files.open(join(root, ...parts)))
  try {
    const isDocument = read.source.host === 'gemini' && read.source.source.endsWith('.json')
    yield* isDocument ? readDocumentSession(file, read) : readLineSession(file, read)
  } finally {
    await file.close()
  }
}

async function* readOpencode(
  read: SessionRead,
  { root, parts, files, openDatabase }: Place,
): AsyncIterable<SessionBatch> {
  const { source, maxRecordBytes } = read
  const id = (parts.at(-1) ?? '').replace(/\.json$/, '')
  const [first = ''] = parts
  const store = first.endsWith('.db')
    ? await openDatabaseOf(source, files, { file: join(root, first), openDatabase, maxRecordBytes })
    : openOpencodeFiles({ files, root, session: source.source, maxRecordBytes })
  try {
    yield* readOpencodeSession(store, read, id)
  } catch (error) {
    throw faultOf(source, error)
  } finally {
    await store.close()
  }
}

/** A database that is absent must not be made by opening it. */
async function openDatabaseOf(
  source: SessionSource,
  files: TranscriptFiles,
  { file, ...options }: { readonly file: string; readonly openDatabase: OpenDatabase; readonly maxRecordBytes: number },
) {
  await faultsNamed(source, () => files.facts(file))
  return faultsNamed(source, () => openOpencodeDatabase(file, options))
}

/** Gemini CLI keeps the directory of the project in a file beside its sessions. */
async function projectOf({ host }: SessionSource, { root, parts, files }: Place): Promise<{ readonly cwd?: string }> {
  if (host !== 'gemini' || parts.length < 3) return {}
  const cwd = (await smallText(files, join(root, ...parts.slice(0, 2), '.project_root'))).trim()
  return cwd === '' ? {} : { cwd }
}

async function smallText(files: TranscriptFiles, path: string): Promise<string> {
  try {
    const file = await files.open(path)
    try {
      return new TextDecoder().decode(await file.read(0, 4096))
    } finally {
      await file.close()
    }
  } catch (error) {
    if ((error as { readonly code?: unknown } | null)?.code === undefined) throw error
    return ''
  }
}

async function faultsNamed<T>(source: SessionSource, act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    throw faultOf(source, error)
  }
}

function faultOf(source: SessionSource, error: unknown): unknown {
  const { code } = (error ?? {}) as { readonly code?: unknown }
  if (code === 'ENOENT' || code === 'ENOTDIR') return new SessionAbsentError(source, { cause: error })
  if (code === 'EACCES' || code === 'EPERM')
    return new SessionUnreadableError(source, 'permission denied', { cause: error })
  // A database that is damaged or has other tables. Without SQLite, nothing is wrong with the session.
  if (typeof code === 'string' && code.includes('SQLITE') && code !== 'SQLITE_ABSENT')
    return new SessionUnreadableError(source, (error as Error).message, { cause: error })
  return error
}
