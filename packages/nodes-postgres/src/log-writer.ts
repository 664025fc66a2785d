/**
 * Writes versions: loads the heads that an append touches, decides in this process, and writes by one statement that refuses if any of
 * those heads has changed. The first attempt takes no locks. After a collision the heads are locked first, so that faster writers cannot
 * keep a busy node from being written.
 */
import type { AppendOptions, Draft, FreedDraft, Node } from '@agentm/nodes'
import {
  type AppendDecision,
  type ConceptSet,
  decideAppend,
  freedAppend,
  freeEach,
  type KnownHead,
  type NewHead,
  prepareAppend,
  type PreparedAppend,
} from '@agentm/nodes/store-kit'
import type { Database, Run } from './database.ts'
import type { Embedders } from './embedders.ts'
import { headsFrom, knownOf, type KnownRow, nodeColumns } from './rows.ts'
import { appendCall, type VectorRow } from './pure/append-call.ts'
import { RecentHeads } from './recent-heads.ts'
import type { ServerClock } from './server-clock.ts'
import type { TakeAnswer, TakeCall } from './take-work.ts'
import { type QueuedAppend, type QueuedTake, WriteQueue } from './write-queue.ts'

/** Created when it is sent, because the claims depend on what is known by then. */
export type Take = () => TakeCall

interface Decided {
  readonly append: PreparedAppend
  readonly decision: AppendDecision
  readonly known: ReadonlyMap<string, KnownHead>
}

interface Writing {
  readonly run: Run
  readonly full: boolean
  readonly unseen?: readonly string[]
  readonly take?: QueuedTake<Take, TakeAnswer> | undefined
}

interface TurnRow {
  readonly written: readonly number[] | null
  readonly freed: readonly KnownRow[] | null
  readonly taken: TakeAnswer | null
}

export interface LogWriterParts {
  readonly database: Database
  readonly concepts: ConceptSet
  readonly clock: ServerClock
  readonly embedders: Embedders
  readonly durability: 'full' | 'normal'
  /** Called after every commit. */
  readonly appended: () => void
}

export class LogWriter {
  readonly #parts: LogWriterParts
  readonly #recent = new RecentHeads()
  /** The running writes of this process, by id. A second writer of an id waits here and not at the server, and then knows the outcome. */
  readonly #writing = new Map<string, Promise<unknown>>()
  readonly #queue = new WriteQueue<Take, TakeAnswer>(async (group, take) => this.#writeTurn(group, take))
  /** Runs each statement in its own transaction. */
  readonly #alone: Run = async (statement) => this.#parts.database.write(statement)

  constructor(parts: LogWriterParts) {
    this.#parts = parts
  }

  async append(drafts: readonly Draft[], options: AppendOptions): Promise<readonly Node[]> {
    const { database, concepts, clock, durability, appended } = this.#parts
    const made = new Set<string>()
    const named = drafts.map((draft) => {
      if (draft.id !== undefined) return { ...draft, id: draft.id }
      const id = database.settings.runtime.newId()
      made.add(`${draft.concept}:${id}`)
      return { ...draft, id }
    })
    const append = prepareAppend(concepts, named, options)
    if (append.drafts.length === 0 && append.expects.size === 0) return []
    if (clock.stale) await this.askClock()
    const full = (options.durability ?? durability) === 'full'
    const nodes = await database.despiteOthers(async (again) =>
      again === 0 ? this.#freely(append, full, made) : this.#locked(append, full),
    )
    appended()
    return nodes
  }

  /** Sends claims together with the appends of the same turn of the event loop, or alone. */
  async take(take: Take): Promise<TakeAnswer> {
    return (await this.#queue.take(take)) ?? this.takeWithin(this.#alone, take())
  }

  async takeWithin(run: Run, take: TakeCall): Promise<TakeAnswer> {
    const text = `select ${this.#parts.database.schema}.take($1) as answer`
    return answered(await run({ text, values: [JSON.stringify(take)] })) as TakeAnswer
  }

  decideOr(append: PreparedAppend, known: ReadonlyMap<string, KnownHead>, at?: number): Decided | undefined {
    try {
      return this.#decide(append, known, at)
    } catch {
      // The refusal is based on cached heads. It may be outdated, so the heads are read again.
      return undefined
    }
  }

  remember(heads: readonly KnownHead[]): void {
    for (const head of heads) this.#recent.note(head, JSON.stringify(head.payload))
  }

  /** Caches a head that was read, so that the next write of it need not read it again. */
  saw(head: KnownHead, json: string): void {
    this.#recent.saw(head, json)
  }

  async askClock(): Promise<void> {
    const { database, clock } = this.#parts
    const [row] = await database.read<{ at: number }>({ text: `select ${serverNow} as at` })
    if (row !== undefined) clock.heard(row.at)
  }

  #decide(append: PreparedAppend, heads: ReadonlyMap<string, KnownHead>, at = this.#parts.clock.now()): Decided {
    const { concepts } = this.#parts
    return { append, known: heads, decision: decideAppend(append, { at, heads, concepts }) }
  }

  /**
   * Writes from cached heads first, and assumes that ids that are not cached are new; such writes of one turn are sent together. Then
   * assumes that all ids are new; then reads the heads.
   */
  async #freely(append: PreparedAppend, full: boolean, made: ReadonlySet<string>): Promise<readonly Node[]> {
    const wanted = [...append.writes, ...append.reads].filter((id) => !made.has(id))
    if (this.#writing.size > 0) await Promise.allSettled(new Set(wanted.flatMap((id) => this.#writing.get(id) ?? [])))
    const cached = wanted.filter((id) => this.#recent.has([id]))
    const unseen = wanted.filter((id) => !this.#recent.has([id]))
    const isDecidable = unseen.length === 0 || (cached.length > 0 && unseen.every((id) => isOnlyWritten(append, id)))
    const known = isDecidable ? await this.#queue.append({ append, full, cached, unseen }) : undefined
    if (known !== undefined) return known
    if (append.reads.length === 0 && append.expects.size === 0 && cached.length === 0) {
      const decided = this.decideOr(append, new Map())
      const nodes = decided && (await this.#writeOr(decided, { run: this.#alone, full, unseen: wanted }))
      if (nodes !== undefined) return nodes
    }
    const read: Run = async (statement) => this.#parts.database.read(statement)
    const decided = this.#decide(append, await this.#load(read, wanted))
    return this.#write(decided, { run: this.#alone, full })
  }

  async #locked(append: PreparedAppend, full: boolean): Promise<readonly Node[]> {
    const { database } = this.#parts
    return database.transaction(async (run) => {
      await run({
        text: `select from ${database.schema}.heads where id = any ($1) order by id for update`,
        values: [append.writes],
      })
      return this.#write(this.#decide(append, await this.#load(run, [...append.writes, ...append.reads])), {
        run,
        full,
      })
    })
  }

  async #load(run: Run, ids: readonly string[]): Promise<Map<string, KnownHead>> {
    if (ids.length === 0) return new Map()
    const rows = await run<KnownRow>({
      text: `select ${nodeColumns}, h.first_created_at from ${headsFrom(this.#parts.database.schema)} where h.id = any ($1)`,
      values: [ids],
    })
    return new Map(rows.map((row) => [row.id, knownOf(row)]))
  }

  /**
   * Decides appends by cached heads. Returns `undefined` for those whose heads are not all cached or have changed, and for all if an id
   * that was assumed to be new exists.
   */
  async #writeTurn(
    group: readonly QueuedAppend[],
    take: QueuedTake<Take, TakeAnswer> | undefined,
  ): Promise<readonly (readonly Node[] | undefined)[]> {
    const at = this.#parts.clock.now()
    const decided = group.map(({ append, cached }) => {
      const known = this.#recent.find(cached)
      const each = known && this.decideOr(append, known, at)
      if (each === undefined) this.#recent.forget(cached)
      return each
    })
    const [first, ...others] = decided.flatMap((each) => each ?? [])
    if (first === undefined) return []
    const full = group.some((each) => each.full)
    const unseen = group.flatMap((each, i) => (decided[i] === undefined ? [] : each.unseen))
    const writing = { run: this.#alone, full, take, ...(unseen.length > 0 && { unseen }) }
    const nodes = await this.#writeOr(together([first, ...others]), writing)
    if (nodes === undefined) return []
    let from = 0
    return decided.map((each) => each && nodes.slice(from, (from += each.decision.versions.length)))
  }

  async #write(decided: Decided, writing: Writing): Promise<readonly Node[]> {
    const nodes = await this.#writeOr(decided, writing)
    if (nodes === undefined) throw new TypeError('an append that has seen what it writes is refused by an error')
    return nodes
  }

  /** Returns `undefined` if an id that was assumed to be new exists. Then nothing was written. */
  async #writeOr(decided: Decided, writing: Writing): Promise<readonly Node[] | undefined> {
    const { decision } = decided
    const { run, unseen } = writing
    const vectors = await this.#vectorRows(decision.heads)
    // After a failed write, the cached heads are outdated.
    const ids = decision.heads.map(({ version }) => version.id)
    this.#recent.forget(ids)
    const sending = this.#send(decided, writing, vectors)
    const { written, freed } = await (run === this.#alone ? this.#announce(ids, sending) : sending)
    if (written === null && unseen !== undefined) return undefined
    // Only committed versions, because a version that was rolled back may be written again with other content.
    if (run === this.#alone)
      for (const { version, firstCreatedAt } of decision.heads)
        this.#recent.note(knownAs(version, firstCreatedAt), version.json)
    if (freed !== null && decided.append.freed !== undefined)
      await this.#free(decided.append, { ...writing, rows: freed })
    return decision.versions.map(({ json, oldStatus: _old, ...version }, i) => ({
      ...version,
      seq: written?.[i] ?? 0,
      payload: JSON.parse(json),
    }))
  }

  async #announce<T>(ids: readonly string[], writing: Promise<T>): Promise<T> {
    for (const id of ids) this.#writing.set(id, writing)
    try {
      return await writing
    } finally {
      for (const id of ids) if (this.#writing.get(id) === writing) this.#writing.delete(id)
    }
  }

  /** Sends the append, followed in the same statement by the nodes it unblocks and by claims. */
  async #send(decided: Decided, { run, full, unseen, take }: Writing, vectors: readonly VectorRow[]): Promise<TurnRow> {
    const { database, concepts, embedders } = this.#parts
    const call = appendCall({ ...decided, full, unseen, vectors, mayCollide: run === this.#alone }, concepts)
    const freed = freeingOf(decided.append, decided.decision, concepts)
    const values = [JSON.stringify(call.append), JSON.stringify(call.rows), embedders.typed(call.vectors)]
    const places = `$1, $2, $3::${embedders.type.name}[]`
    if (freed === undefined && take === undefined) {
      const text = `select ${database.schema}.append(${places}) as written`
      const [row] = await run<Pick<TurnRow, 'written'>>({ text, values })
      return { written: row?.written ?? null, freed: null, taken: null }
    }
    const text = `select ${database.schema}.turn(${places}, $4) as answer`
    const then = JSON.stringify({ freed, take: takeBeside(take?.take(), full) })
    const answer = answered(await run({ text, values: [...values, then] })) as TurnRow
    // The claims are answered at once, whatever the append still has to do.
    if (answer.taken !== null) take?.answer(answer.taken)
    return answer
  }

  /**
   * Writes the unblocked nodes in the transaction of the append, or right after it. In the second case the append is valid whatever happens
   * here.
   */
  async #free(append: PreparedAppend, free: Writing & { readonly rows: readonly KnownRow[] }): Promise<void> {
    const { freed } = append
    const { rows, run } = free
    if (freed === undefined) return
    if (run !== this.#alone) return this.#writeFreed(append, freed, free)
    const { database } = this.#parts
    const still = {
      text: `select ${nodeColumns}, h.first_created_at from ${headsFrom(database.schema)}
        where h.id = any ($1) and h.status = $2 and h.owner = $3 and h.remaining = 0 order by n.seq`,
      values: [rows.map(({ id }) => id), freed.status, append.owner],
    }
    try {
      await database.despiteOthers(async (again) =>
        this.#writeFreed(append, freed, again === 0 ? free : { ...free, rows: await database.read(still) }),
      )
    } catch (error) {
      // The nodes are not changed, as if this process had died here.
      if (error instanceof TypeError) throw error
    }
  }

  /** Writes all in one append. If that is refused, writes each alone and skips those that are refused. */
  async #writeFreed(
    append: PreparedAppend,
    freed: FreedDraft,
    { rows, run, full }: Writing & { readonly rows: readonly KnownRow[] },
  ): Promise<void> {
    const heads = new Map(rows.filter(({ redacted }) => !redacted).map((row) => [row.id, row]))
    const decided: Decided[] = []
    freeEach([...heads.keys()], (ids) => {
      const known = new Map(ids.flatMap((id) => heads.get(id) ?? []).map((row) => [row.id, knownOf(row)]))
      decided.push(this.#decide(freedAppend(this.#parts.concepts, append, { freed, ids }), known))
    })
    for (const each of decided) await this.#write(each, { run, full })
  }

  async #vectorRows(heads: readonly NewHead[]): Promise<readonly VectorRow[]> {
    const given = heads.flatMap(({ version, facts, vector }) =>
      vector === undefined || facts.recall === undefined ? [] : [{ id: version.id, owner: version.owner, vector }],
    )
    return given.length === 0 ? [] : this.#parts.embedders.rows(given)
  }
}

function answered([row]: readonly Readonly<Record<string, unknown>>[]): unknown {
  if (typeof row?.['answer'] !== 'string') throw new TypeError('the server answers every call by one text')
  return JSON.parse(row['answer'])
}

/** Whether the append only writes this id. If it turns out to exist, the server refuses, and nothing else was decided on it. */
function isOnlyWritten({ writes, reads, expects }: PreparedAppend, id: string): boolean {
  return writes.includes(id) && !reads.includes(id) && !expects.has(id)
}

/** The server's clock in whole milliseconds. */
export const serverNow = `floor(extract(epoch from clock_timestamp()) * 1000)::bigint`

/** Combines decisions that touch different nodes into one. */
function together([first, ...others]: readonly [Decided, ...Decided[]]): Decided {
  if (others.length === 0) return first
  const all = [first, ...others]
  return {
    append: first.append,
    known: new Map(all.flatMap(({ known }) => [...known])),
    decision: {
      versions: all.flatMap(({ decision }) => decision.versions),
      heads: all.flatMap(({ decision }) => decision.heads),
      flips: all.flatMap(({ decision }) => decision.flips),
      holds: all.flatMap(({ decision }) => decision.holds),
    },
  }
}

/** `undefined` if the append names no `freed` version, or finishes no dependency. */
function freeingOf({ freed, owner }: PreparedAppend, { flips }: AppendDecision, concepts: ConceptSet) {
  const ended = flips.filter(({ delta }) => delta < 0).map(({ id }) => id)
  const field = freed && concepts.get(freed.concept).dependsOn?.field
  if (freed === undefined || field === undefined || ended.length === 0) return undefined
  return { owner, concept: freed.concept, status: freed.status, field, ended }
}

/** One commit is flushed if either the append or the claim asks for it. */
function takeBeside(take: TakeCall | undefined, full: boolean): TakeCall | undefined {
  return take?.append === undefined ? take : { ...take, append: { ...take.append, full: full || take.append.full } }
}

function knownAs(version: NewHead['version'], firstCreatedAt: number): KnownHead {
  const { json: _, oldStatus: _old, createdBy: _by, provenanceMutation: _mutation, ...head } = version
  return { ...head, firstCreatedAt }
}
