/**
 * Capture: what coding agents wrote about their sessions on this machine becomes turns in the log. It reads the hosts' own files, asks
 * no model, and opens no port. Files that did not change since the last capture are not opened.
 */
import {
  captureSession,
  keepPrivate,
  type SessionFile,
  type SessionShelf,
  sessionShelf,
} from '@agentm/learning/sessions'
import type { LessonReport } from '@agentm/learning/lessons'
import { isNodesError } from '@agentm/nodes'
import { type ConfigValues, settings } from '@agentm/settings'
import {
  findSessions,
  type HostSurroundings,
  readSession,
  type SessionCursor,
  type SessionSource,
  type TranscriptHost,
} from '@agentm/transcripts'
import { takeCaptureLease } from './capture-lease.ts'
import { ownerName } from './owner-name.ts'
import { sessionPlaces } from './session-places.ts'
import { sessionSearch, sessionSurroundings } from './session-surroundings.ts'
import type { WorkspaceParts } from './workspace-parts.ts'

/** Which sessions to capture, and how. */
export interface SessionCaptureRequest {
  /** Only sessions of these hosts (default: `capture.hosts`). */
  readonly hosts?: readonly TranscriptHost[]
  /** Reads every file again, also those that did not change. */
  readonly again?: boolean
  /** Host ids of sessions that have just ended. The last turn of a session that nobody wrote to for an hour counts as ended, too. */
  readonly ended?: readonly string[]
  /** Whether to learn from what is new afterwards (default: true). */
  readonly learn?: boolean
  readonly signal?: AbortSignal
  readonly onSession?: (session: { readonly host: string; readonly source: string; readonly written: number }) => void
}

/** What a capture did. */
export interface SessionCaptureReport {
  /** `busy`: another process captures now, and will read what is new. */
  readonly outcome: 'done' | 'busy'
  /** Session files that had changed. */
  readonly sessions: number
  /** Turns that were written, or written anew because they had grown. */
  readonly written: number
  readonly known: number
  /** Turns that are not kept, because their directory or session is private. */
  readonly private: number
  /** Records that this version does not know. */
  readonly unknown: number
  readonly failed: readonly { readonly host: string; readonly source: string; readonly why: string }[]
  /** What was learned from the new turns. */
  readonly lessons?: LessonReport
  /** Why nothing was learned from them. The next capture, or the nightly run, does so. */
  readonly unlearned?: string
}

/** Agent sessions of this machine and owner. */
export interface Capture {
  run(request?: SessionCaptureRequest): Promise<SessionCaptureReport>
  /** The sessions that were captured. */
  readonly sessions: SessionShelf
  /** A session that was not captured yet, and will not be. */
  keepPrivate(host: TranscriptHost, session: string): Promise<void>
}

// A person who has not typed for an hour has left.
const overMs = 3_600_000
// Files that change while they are read are read again, but not without end.
const mostRounds = 5

export async function openCapture(parts: WorkspaceParts): Promise<Capture> {
  const config = await parts.config()
  const owner = ownerName(config)
  const { log, work } = await parts.log()
  const sessions = sessionShelf({ log, owner })
  return {
    sessions,
    keepPrivate: async (host, session) => keepPrivate(log, owner, { host, session }),
    async run(request = {}) {
      // A session that begins reads memory only where there is a store. One that is away refuses what is written to it, not this.
      await parts.storage().catch(() => undefined)
      let total = nothing
      for (let round = 0; round < mostRounds; round++) {
        const lease = await takeCaptureLease(work, owner)
        if (lease === undefined) return { ...total, outcome: total === nothing ? 'busy' : 'done' }
        let news = nothing
        try {
          news = await captureOnce(parts, { request, owner, values: config.values })
        } finally {
          await lease.release()
        }
        // What failed before is tried in each round, and counts once.
        total = { ...plus(total, news), failed: news.failed }
        // What changed before another process was turned away is found now.
        if (
          request.again === true ||
          news.sessions === 0 ||
          (await changedSessions(parts, owner, request, config.values)).changed.length === 0
        )
          break
      }
      const learned = request.learn === false ? {} : await lessonsOf(parts, owner, request.signal)
      return { ...total, outcome: 'done', ...learned }
    },
  }
}

// A session that ends in the background has less than a minute for everything.
const learnMs = 10_000

/** What was captured stays captured, whatever happens to learning. */
async function lessonsOf(
  parts: WorkspaceParts,
  owner: string,
  signal: AbortSignal | undefined,
): Promise<Pick<SessionCaptureReport, 'lessons' | 'unlearned'>> {
  try {
    const { learnLessons } = await import('./learn-lessons.ts')
    const budget = { budgetMs: learnMs, ...(signal === undefined ? {} : { signal }) }
    return { lessons: await learnLessons(parts, { owner, ...budget }) }
  } catch (error) {
    return { unlearned: error instanceof Error ? error.message : String(error) }
  }
}

type Counts = Omit<SessionCaptureReport, 'outcome' | 'lessons' | 'unlearned'>

const nothing: Counts = { sessions: 0, written: 0, known: 0, private: 0, unknown: 0, failed: [] }

function plus(a: Counts, b: Counts): Counts {
  return {
    sessions: a.sessions + b.sessions,
    written: a.written + b.written,
    known: a.known + b.known,
    private: a.private + b.private,
    unknown: a.unknown + b.unknown,
    failed: [...a.failed, ...b.failed],
  }
}

interface Round {
  readonly request: SessionCaptureRequest
  readonly owner: string
  readonly values: ConfigValues
}

async function captureOnce(parts: WorkspaceParts, { request, owner, values }: Round): Promise<Counts> {
  const { log } = await parts.log()
  const exclude = values['capture.exclude'] ?? settings['capture.exclude'].default
  const placeOf = sessionPlaces({ routing: parts.routing, exclude })
  const seen = new Map(await readSeen(parts, owner))
  const { signal } = request
  const isAborted = () => signal?.aborted === true
  const { changed, unreadable } = await changedSessions(parts, owner, request, values)
  let total: Counts = { ...nothing, failed: unreadable }
  for (const found of changed) {
    if (isAborted()) break
    const { source, isOver } = found
    try {
      const options = { log, owner, placeOf, ...(signal === undefined ? {} : { signal }) }
      const counts = await captureSession(options, fileOf(found, sessionSurroundings(parts.world, values)))
      total = plus(total, { ...counts, sessions: 1, failed: [] })
      request.onSession?.({ host: source.host, source: source.source, written: counts.written })
      seen.set(keyOf(source), seenOf(source, isOver))
    } catch (error) {
      // The log is at fault: the next file would fail, too.
      if (isNodesError(error)) throw error
      if (isAborted()) break
      const why = error instanceof Error ? error.message : String(error)
      total = plus(total, { ...nothing, failed: [{ host: source.host, source: source.source, why }] })
    }
  }
  await parts.state.write(stateKey(owner), JSON.stringify([...seen]))
  return total
}

interface Changed {
  readonly source: SessionSource
  readonly isOver: boolean
}

/** Oldest first, so that a copy of a session comes after the session. */
async function changedSessions(
  parts: WorkspaceParts,
  owner: string,
  request: SessionCaptureRequest,
  values: ConfigValues,
): Promise<{ readonly changed: readonly Changed[]; readonly unreadable: SessionCaptureReport['failed'] }> {
  const { sessions, unreadable } = await findSessions(sessionSearch(parts.world, values, request.hosts))
  const seen = await readSeen(parts, owner)
  const now = Date.now()
  const changed = sessions
    .map((source) => {
      const ended = source.session !== undefined && request.ended?.includes(source.session) === true
      return { source, isOver: ended || now - (source.changedAt ?? now) > overMs }
    })
    .filter(({ source, isOver }) => {
      const before = seen.get(keyOf(source))
      const isSame = before === seenOf(source, true) || (!isOver && before === seenOf(source, false))
      return request.again === true || !isSame
    })
    .toSorted((a, b) => (a.source.changedAt ?? 0) - (b.source.changedAt ?? 0))
  return { changed, unreadable: unreadable.map(({ host, source, code }) => ({ host, source, why: code })) }
}

function fileOf({ source, isOver }: Changed, surroundings: HostSurroundings): SessionFile {
  return {
    host: source.host,
    source: source.source,
    isOver,
    read: (cursor) =>
      readSession(source, { ...surroundings, ...(cursor === undefined ? {} : { cursor: cursor as SessionCursor }) }),
  }
}

/** What this device has read. Losing it costs time, and no turn: each file's own cursor is in the log. */
async function readSeen({ state }: WorkspaceParts, owner: string): Promise<ReadonlyMap<string, string>> {
  try {
    const seen: unknown = JSON.parse((await state.read(stateKey(owner))) ?? '[]')
    return new Map(Array.isArray(seen) ? (seen as (readonly [string, string])[]) : [])
  } catch {
    return new Map()
  }
}

function stateKey(owner: string): string {
  return `captured sessions of ${owner}`
}

function keyOf({ host, source }: SessionSource): string {
  return `${host} ${source}`
}

function seenOf({ bytes, changedAt }: SessionSource, isOver: boolean): string {
  return `${bytes ?? ''} ${changedAt ?? ''} ${isOver ? 'over' : 'open'}`
}
