/**
 * Reads one session file from where the last capture stopped, and keeps its turns in the log. Several processes may do so at once, and
 * may be killed anywhere: a turn's id is made from the session itself, a write expects the version that was read, and a turn is only
 * ever replaced by one that reaches further.
 */
import { deriveId, type Draft, type Head, isNodesError, type NodeLog, redactSecrets, scanHeads } from '@agentm/nodes'
import type { TranscriptEvent, TranscriptHost } from '@agentm/transcripts'
import { turnReading } from '@agentm/memory'
import { emptyFold, folded, type FoldedTurn, type SessionFold } from './pure/session-fold.ts'
import { changeOf } from './pure/turn-change.ts'
import { turnPayload } from './pure/turn-payload.ts'
import { privateSession, sessionSource } from './session-source.ts'

/** One session file that can be read from a cursor on. */
export interface SessionFile {
  /** The session has ended, so its last turn does not grow any more. */
  readonly isOver: boolean
  readonly host: TranscriptHost
  /** Its place relative to where its host keeps sessions. It is the same on every machine. */
  readonly source: string
  /** `cursor` is one that an earlier read gave, as JSON. `restarted`: the file was replaced, and is read from its start. */
  read(cursor: unknown): AsyncIterable<{
    readonly events: readonly TranscriptEvent[]
    readonly cursor: unknown
    readonly restarted?: boolean
  }>
}

/** The project that a directory belongs to, and whether its sessions are kept at all. */
export interface SessionPlace {
  readonly partition: string
  readonly isPrivate: boolean
}

/** Where turns are kept, and whose they are. */
export interface CaptureOptions {
  readonly log: Pick<NodeLog, 'append' | 'latest' | 'scan'>
  readonly owner: string
  /** `undefined`: the session names no directory. */
  readonly placeOf: (cwd: string | undefined) => Promise<SessionPlace>
  readonly signal?: AbortSignal
}

/** What one session file brought. */
export interface CapturedSession {
  /** Turns that were written, or written anew because they had grown. */
  readonly written: number
  /** Turns that are the same as in the log. */
  readonly known: number
  /** Turns that are not kept, because their directory or session is private. */
  readonly private: number
  /** Records that this version does not know. */
  readonly unknown: number
}

export const captureActor = 'capture'

// A read starts at most this many records before what is new.
const recordsPerSource = 400
const mostTries = 20

/** Keeps the turns of one session file that are not in the log yet. */
export async function captureSession(options: CaptureOptions, file: SessionFile): Promise<CapturedSession> {
  for (let tries = 1; ; tries++) {
    try {
      return await new Capture(options, file).run()
    } catch (error) {
      // Another process wrote one of the turns in between. It is read again.
      if (!isNodesError(error, 'VERSION_CONFLICT') || tries >= mostTries) throw error
    }
  }
}

class Capture {
  readonly #options: CaptureOptions
  readonly #file: SessionFile
  readonly #sourceId: string
  #fold: SessionFold = emptyFold
  #version = 0
  #savedAt = 0
  #reached = 0
  #written = 0
  #known = 0
  #private = 0
  #unknown = 0
  readonly #privateSessions = new Map<string, boolean>()

  constructor(options: CaptureOptions, file: SessionFile) {
    this.#options = options
    this.#file = file
    this.#sourceId = deriveId(sessionSource.name, file.host, file.source)
  }

  async run(): Promise<CapturedSession> {
    const { signal } = this.#options
    for await (const { events, cursor, restarted } of this.#file.read(await this.#start())) {
      signal?.throwIfAborted()
      if (restarted === true) this.#restart()
      const turns = this.#folded(events)
      await this.#write(turns)
      if (this.#reached - this.#savedAt >= recordsPerSource || restarted === true) await this.#save(cursor)
    }
    const { current } = this.#fold
    if (this.#file.isOver && current !== undefined) await this.#write([current])
    return { written: this.#written, known: this.#known, private: this.#private, unknown: this.#unknown }
  }

  /** The cursor to read from. */
  async #start(): Promise<unknown> {
    const { log, owner } = this.#options
    const head = await log.latest(this.#sourceId, { owner })
    this.#version = head?.version ?? 0
    const saved = head === undefined || head.redacted ? undefined : savedIn(head)
    if (saved === undefined) return undefined
    this.#fold = saved.fold
    this.#savedAt = this.#reached = saved.record
    return saved.cursor
  }

  #restart(): void {
    this.#fold = emptyFold
    this.#savedAt = this.#reached = 0
  }

  /** The turns that these entries ended, and the one that they leave open. */
  #folded(events: readonly TranscriptEvent[]): readonly FoldedTurn[] {
    const turns: FoldedTurn[] = []
    for (const event of events) {
      const next = folded(this.#fold, event)
      this.#fold = next.fold
      this.#reached = Math.max(this.#reached, event.record)
      if (event.type === 'unknown') this.#unknown += 1
      if (next.ended !== undefined) turns.push(next.ended)
    }
    const { current } = this.#fold
    return current === undefined || events.length === 0 ? turns : [...turns, current]
  }

  async #write(turns: readonly FoldedTurn[]): Promise<void> {
    const { session } = this.#fold
    if (session === undefined || turns.length === 0) return
    if (await this.#isPrivate(session)) {
      this.#private += turns.length
      return
    }
    for (const { partition, isPrivate, some } of await this.#byPlace(turns)) {
      if (isPrivate) this.#private += some.length
      else await this.#append(some, partition)
    }
  }

  async #byPlace(turns: readonly FoldedTurn[]): Promise<readonly (SessionPlace & { readonly some: FoldedTurn[] })[]> {
    const places: (SessionPlace & { readonly some: FoldedTurn[] })[] = []
    for (const turn of turns) {
      const place = await this.#options.placeOf(turn.cwd)
      const last = places.at(-1)
      if (last?.partition === place.partition && last.isPrivate === place.isPrivate) last.some.push(turn)
      else places.push({ ...place, some: [turn] })
    }
    return places
  }

  async #append(turns: readonly FoldedTurn[], partition: string): Promise<void> {
    const { log, owner } = this.#options
    const { host } = this.#file
    const session = this.#fold.session ?? this.#file.source
    const byId = new Map(turns.map((turn) => [turnId(host, session, turn), turn]))
    const heads = await headsOf(log, owner, [...byId.keys()])
    const expects: Record<string, number> = {}
    const drafts: Draft[] = []
    for (const [id, turn] of byId) {
      const before = heads.get(id)
      const isOpen = !this.#file.isOver && turn === this.#fold.current
      const change = changeOf(before, turnPayload(turn, { owner, host, session }, { isOpen }))
      if (change === undefined) this.#known += 1
      else {
        expects[id] = before?.version ?? 0
        drafts.push({ concept: turnReading.name, id, mutation: 'captureTurn', ...change })
      }
    }
    if (drafts.length === 0) return
    await log.append(drafts, { owner, actor: captureActor, partition, expects })
    this.#written += drafts.length
  }

  async #save(cursor: unknown): Promise<void> {
    const { log, owner } = this.#options
    const { host, source } = this.#file
    const draft: Draft = {
      concept: sessionSource.name,
      id: this.#sourceId,
      mutation: 'readSession',
      payload: {
        ownerUserId: owner,
        host,
        source,
        record: this.#reached,
        cursor: withoutSecrets(JSON.stringify(cursor)),
        fold: JSON.stringify(this.#fold),
      },
    }
    const expects = { [this.#sourceId]: this.#version }
    await log.append([draft], { owner, actor: captureActor, expects, durability: 'normal' })
    this.#version += 1
    this.#savedAt = this.#reached
  }

  async #isPrivate(session: string): Promise<boolean> {
    const known = this.#privateSessions.get(session)
    if (known !== undefined) return known
    const { log, owner } = this.#options
    const found = await log.latest(privateSessionId(this.#file.host, session), { owner })
    this.#privateSessions.set(session, found !== undefined)
    return found !== undefined
  }
}

/** A copy of a session keeps the ids of its prompts. Without ids, the time and the words tell prompts apart. */
export function turnId(host: TranscriptHost, session: string, { prompt, turn, startedAt, asked }: FoldedTurn): string {
  return prompt === undefined
    ? deriveId(turnReading.name, host, session, `${turn}`, `${startedAt ?? ''}`, asked)
    : deriveId(turnReading.name, host, prompt)
}

export function privateSessionId(host: TranscriptHost, session: string): string {
  return deriveId(privateSession.name, host, session)
}

async function headsOf(
  log: Pick<NodeLog, 'scan'>,
  owner: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Head>> {
  const heads: (readonly [string, Head])[] = []
  for await (const head of scanHeads(log, { owner, ids })) heads.push([head.id, head])
  return new Map(heads)
}

interface Saved {
  readonly record: number
  readonly cursor: unknown
  readonly fold: SessionFold
}

/** A state that cannot be read costs a read from the start, and no turn. */
function savedIn({ payload }: Head): Saved | undefined {
  try {
    const [cursor, fold]: [unknown, SessionFold] = [
      JSON.parse(String(payload['cursor'])),
      JSON.parse(String(payload['fold'])),
    ]
    return { record: Number(payload['record']), cursor, fold }
  } catch {
    return undefined
  }
}

/** A parser may keep texts of the session in its cursor, such as items of a to-do list. Everything else in it looks like no secret. */
function withoutSecrets(json: string): string {
  return JSON.stringify(
    JSON.parse(json, (_, value: unknown) => (typeof value === 'string' ? redactSecrets(value) : value)),
  )
}
