/**
 * The one way versions come to be: load what an append touches, decide in this process, write by one statement that
 * refuses when anything judged has moved. The first try locks nothing while it thinks; after a collision the heads are
 * locked first, so that a busy node is not lost to every faster writer.
 */
import {
  type AppendDecision,
  type AppendOptions,
  type ConceptSet,
  decideAppend,
  type Draft,
  type FreedDraft,
  type KnownHead,
  type NewHead,
  type Node,
  prepareAppend,
  type PreparedAppend,
} from '@agentm/nodes'
import { AppendQueue, type QueuedAppend } from './append-queue.ts'
import type { Database, Run, Statement } from './database.ts'
import type { Embedders } from './embedders.ts'
import { decideFreed, type FreeRow, freeingOf, freeingToo, freeRows, stillFree } from './freeing.ts'
import { headsFrom, knownOf, type KnownRow, nodeColumns } from './node-rows.ts'
import { NewIdGuess } from './new-id-guess.ts'
import { appendArguments, claimArguments, type DecidedAppend } from './pure/append-arguments.ts'
import { groupedAppend, type GroupMember } from './pure/grouped-append.ts'
import { newNodes, type NewNodesShape, newNodesText } from './pure/new-nodes.ts'
import { RecentHeads } from './recent-heads.ts'
import type { ServerClock } from './server-clock.ts'

type Decided = Pick<DecidedAppend, 'at' | 'decision'>

interface WithinOptions {
  readonly full: boolean
  /** A change to make in the same statement; its places begin after `from`. */
  readonly also?: (from: number) => Statement
}

interface Wanted {
  readonly wanted: readonly string[]
  readonly full: boolean
}

interface Free {
  readonly freed: FreedDraft
  readonly rows: readonly KnownRow[]
  readonly full: boolean
}

export interface DecidedClaims {
  readonly versions: AppendDecision['versions']
  readonly values: readonly unknown[]
}

export class LogWriter {
  readonly #database: Database
  readonly #concepts: ConceptSet
  readonly #clock: ServerClock
  readonly #embedders: Embedders
  readonly #durability: 'full' | 'normal'
  readonly #appended: () => void
  readonly #guess = new NewIdGuess()
  readonly #recent = new RecentHeads()
  #text: string | undefined
  readonly #newNodesTexts = new Map<string, string>()
  /** Ids that this process writes now, and when it has. */
  readonly #beingWritten = new Map<string, Promise<unknown>>()
  readonly #alone: Run = async (statement) => this.#database.write(statement)
  readonly #queue = new AppendQueue(async (group) => this.#writeGroup(group))

  constructor(parts: {
    readonly database: Database
    readonly concepts: ConceptSet
    readonly clock: ServerClock
    readonly embedders: Embedders
    readonly durability: 'full' | 'normal'
    /** Called after every commit. */
    readonly appended: () => void
  }) {
    this.#database = parts.database
    this.#concepts = parts.concepts
    this.#clock = parts.clock
    this.#embedders = parts.embedders
    this.#durability = parts.durability
    this.#appended = parts.appended
  }

  async append(drafts: readonly Draft[], options: AppendOptions): Promise<readonly Node[]> {
    const { runtime } = this.#database.settings
    const made = new Set<string>()
    const named = drafts.map((draft) => {
      if (draft.id !== undefined) return { ...draft, id: draft.id }
      const id = runtime.newId()
      made.add(`${draft.concept}:${id}`)
      return { ...draft, id }
    })
    const append = prepareAppend(this.#concepts, named, options)
    if (append.drafts.length === 0 && append.expects.size === 0) return []
    if (this.#clock.stale) await this.askClock()
    const full = (options.durability ?? this.#durability) === 'full'
    const nodes = await this.#database.despiteOthers(async (again) =>
      again === 0 ? this.#freely(append, full, made) : this.#locked(append, full),
    )
    this.#appended()
    return nodes
  }

  /** Decides and writes within somebody's transaction; the caller reports it with `appended` once it is committed. */
  async appendWithin(run: Run, append: PreparedAppend, options: WithinOptions): Promise<readonly Node[]> {
    return this.#write(run, append, { known: await this.#load(run, append), ...options })
  }

  /** The same, where the heads have been read already; they are remembered by `remember`, once that is committed. */
  async appendKnown(
    run: Run,
    append: PreparedAppend,
    options: WithinOptions & { readonly known: ReadonlyMap<string, KnownHead> },
  ): Promise<readonly Node[]> {
    return this.#write(run, append, options)
  }

  /** Claims as arguments of `take`; nothing where they are refused, or change more than the heads themselves. */
  decideClaims(
    append: PreparedAppend,
    { known, full }: { readonly known: ReadonlyMap<string, KnownHead>; readonly full: boolean },
  ): DecidedClaims | undefined {
    const decided = this.#decideOr(append, known)
    if (decided === undefined) return undefined
    const values = claimArguments({ ...decided, append, known, full, unseen: [], vectors: [] }, this.#concepts)
    return values === undefined ? undefined : { versions: decided.decision.versions, values }
  }

  remember(heads: readonly KnownHead[]): void {
    for (const head of heads) this.#recent.note(head, JSON.stringify(head.payload))
  }

  async askClock(): Promise<void> {
    const [row] = await this.#database.read<{ at: number }>({ text: `select ${serverNow} as at` })
    if (row !== undefined) this.#clock.heard(row.at)
  }

  async #freely(append: PreparedAppend, full: boolean, made: ReadonlySet<string>): Promise<readonly Node[]> {
    const write = this.#alone
    const wanted = [...append.writes, ...append.reads].filter((id) => !made.has(id))
    await this.#written(wanted)
    // What this process knows may be written without a look, together with what others of it write now.
    const known = this.#recent.has(wanted) ? await this.#queue.join({ append, full, wanted }) : undefined
    return known ?? (await this.#unseen(write, append, { wanted, full })) ?? this.#seen(write, append, { wanted, full })
  }

  /** Decided on what this process itself wrote last; nothing for those of whom that is not all, or is no longer so. */
  async #writeGroup(group: readonly QueuedAppend[]): Promise<readonly (readonly Node[] | undefined)[]> {
    const at = this.#clock.now()
    const decided = group.map((each) => this.#decideKnown(each, at))
    const [first, ...others] = decided.flatMap((each) => (each === undefined ? [] : [each]))
    if (first === undefined) return []
    const { append, decision, known } = groupedAppend([first, ...others])
    const full = group.some((each) => each.full)
    const nodes = await this.#seenWrite(this.#alone, append, { at, decision, known, full, unseen: [] })
    this.#remembering({ at, decision }, nodes)
    let from = 0
    return decided.map((each) => {
      if (each === undefined) return undefined
      const to = from + each.decision.versions.length
      const own = nodes.slice(from, to)
      from = to
      return own
    })
  }

  #decideKnown({ append, wanted }: QueuedAppend, at: number): GroupMember | undefined {
    const known = this.#recent.find(wanted)
    if (known === undefined) return undefined
    const decided = this.#decideOr(append, known, at)
    if (decided === undefined) this.#recent.forget(wanted)
    return decided && { ...decided, append, known }
  }

  /** Written as new without a look; nothing where that cannot be, or turns out to be wrong. */
  async #unseen(write: Run, append: PreparedAppend, { wanted, full }: Wanted): Promise<readonly Node[] | undefined> {
    if (!this.#guess.saysNew(append)) return undefined
    const known = new Map<string, KnownHead>()
    const decided = this.#decideOr(append, known)
    if (decided !== undefined) {
      const nodes = await this.#writeDecided(write, append, { ...decided, known, full, unseen: wanted })
      if (nodes !== undefined) return this.#remembering(decided, nodes)
    }
    this.#guess.wasWrong(append)
    return undefined
  }

  #decideOr(append: PreparedAppend, known: ReadonlyMap<string, KnownHead>, at?: number): Decided | undefined {
    try {
      return this.#decide(append, known, at)
    } catch {
      // Refused on what is believed; on what is there it may be right, and only a look can tell.
      return undefined
    }
  }

  async #seen(write: Run, append: PreparedAppend, { wanted, full }: Wanted): Promise<readonly Node[]> {
    const read: Run = async (statement) => this.#database.read(statement)
    const known = await this.#loadIds(read, wanted)
    this.#guess.learn(append, known)
    const decided = this.#decide(append, known)
    return this.#remembering(decided, await this.#seenWrite(write, append, { ...decided, known, full, unseen: [] }))
  }

  async #locked(append: PreparedAppend, full: boolean): Promise<readonly Node[]> {
    const { schema } = this.#database
    return this.#database.transaction(async (run) => {
      await run({
        text: `select from ${schema}.heads where id = any ($1) order by id for update`,
        values: [append.writes],
      })
      return this.appendWithin(run, append, { full })
    })
  }

  async #load(run: Run, append: PreparedAppend): Promise<Map<string, KnownHead>> {
    return this.#loadIds(run, [...append.writes, ...append.reads])
  }

  async #loadIds(run: Run, ids: readonly string[]): Promise<Map<string, KnownHead>> {
    if (ids.length === 0) return new Map()
    const rows = await run<KnownRow>({
      text: `select ${nodeColumns}, h.first_created_at from ${headsFrom(this.#database.schema)} where h.id = any ($1)`,
      values: [ids],
    })
    return new Map(rows.map((row) => [row.id, knownOf(row)]))
  }

  async #write(
    run: Run,
    append: PreparedAppend,
    { known, full, also }: WithinOptions & { readonly known: ReadonlyMap<string, KnownHead> },
  ): Promise<readonly Node[]> {
    return this.#seenWrite(run, append, { ...this.#decide(append, known), known, full, unseen: [] }, also)
  }

  async #seenWrite(
    run: Run,
    append: PreparedAppend,
    given: Omit<DecidedAppend, 'append' | 'vectors'>,
    also?: WithinOptions['also'],
  ): Promise<readonly Node[]> {
    const nodes = await this.#writeDecided(run, append, given, also)
    if (nodes === undefined) throw new TypeError('an append that has seen what it writes is refused by an error')
    return nodes
  }

  /** After the commit of a statement that stood alone. */
  #remembering<T extends readonly Node[] | undefined>({ decision }: Decided, nodes: T): T {
    if (nodes !== undefined)
      for (const { version, firstCreatedAt } of decision.heads)
        this.#recent.note(knownAs(version, firstCreatedAt), version.json)
    return nodes
  }

  #decide(append: PreparedAppend, heads: ReadonlyMap<string, KnownHead>, at = this.#clock.now()): Decided {
    return { at, decision: decideAppend(append, { at, heads, concepts: this.#concepts }) }
  }

  /** Nothing when one of the unseen was there already; then nothing was written. */
  async #writeDecided(
    run: Run,
    append: PreparedAppend,
    given: Omit<DecidedAppend, 'append' | 'vectors'>,
    also?: WithinOptions['also'],
  ): Promise<readonly Node[] | undefined> {
    const { decision, unseen } = given
    const vectors = await this.#vectorRows(decision.heads)
    const freeing = freeingOf(append, decision, this.#concepts)
    const appending = this.#statement({ ...given, append, vectors })
    const { schema } = this.#database
    const whole = freeing === undefined ? appending : freeingToo(appending, freeing, { schema, owner: append.owner })
    const statement = withChange(whole, also)
    // A write that fails says that something moved; what is known of it is old from here on.
    const ids = decision.heads.map(({ version }) => version.id)
    this.#recent.forget(ids)
    const writing = run<FreeRow>(statement)
    const rows = await (run === this.#alone ? this.#announced(ids, writing) : writing)
    const seqs = rows[0]?.seqs ?? []
    if (unseen.length > 0 && seqs.length === 0) return undefined
    if (freeing !== undefined) await this.#free(run, append, { ...freeing, rows: freeRows(rows), full: given.full })
    return decision.versions.map(({ json, oldStatus: _old, ...version }, i) => ({
      ...version,
      seq: seqs[i] ?? 0,
      payload: JSON.parse(json),
    }))
  }

  /** In the transaction of the append, or right behind it: then it stands already, whatever becomes of this. */
  async #free(run: Run, append: PreparedAppend, free: Free): Promise<void> {
    const { rows, freed } = free
    if (rows.length === 0) return
    if (run !== this.#alone) return this.#writeFreed(run, append, free)
    const ids = rows.map(({ id }) => id)
    const { schema } = this.#database
    const again = stillFree(ids, freed, { schema, owner: append.owner })
    try {
      await this.#database.despiteOthers(async (times) =>
        this.#writeFreed(run, append, times === 0 ? free : { ...free, rows: await this.#database.read(again) }),
      )
    } catch (error) {
      // They stay as they are, as where this process had died here.
      if (error instanceof TypeError) throw error
    }
  }

  async #writeFreed(run: Run, append: PreparedAppend, free: Free): Promise<void> {
    const at = this.#clock.now()
    for (const freed of decideFreed(free, append, { concepts: this.#concepts, at })) {
      const nodes = await this.#seenWrite(run, freed.append, { ...freed, at, full: free.full, unseen: [] })
      if (run === this.#alone) this.#remembering({ ...freed, at }, nodes)
    }
  }

  /** Whoever wants these ids meanwhile waits here and not at the server, and then knows what came of it. */
  async #announced<T>(ids: readonly string[], writing: Promise<T>): Promise<T> {
    for (const id of ids) this.#beingWritten.set(id, writing)
    try {
      return await writing
    } finally {
      for (const id of ids) if (this.#beingWritten.get(id) === writing) this.#beingWritten.delete(id)
    }
  }

  async #written(ids: readonly string[]): Promise<void> {
    if (this.#beingWritten.size === 0) return
    const writing = new Set(ids.flatMap((id) => this.#beingWritten.get(id) ?? []))
    await Promise.allSettled(writing)
  }

  async #vectorRows(heads: readonly NewHead[]) {
    const given = heads.flatMap(({ version, facts, vector }) =>
      vector === undefined || facts.recall === undefined ? [] : [{ id: version.id, vector }],
    )
    return given.length === 0 ? [] : this.#embedders.rows(given)
  }

  #statement(decided: DecidedAppend): Statement {
    const { schema } = this.#database
    const vector = this.#embedders.type
    const fresh = newNodes(decided, this.#concepts, vector.oid)
    if (fresh !== undefined) return { text: this.#newNodesText(fresh.shape), values: fresh.values }
    const values = appendArguments(decided, this.#concepts, vector.oid)
    const places = values.map((_, i) => `$${i + 1}`)
    this.#text ??= `select ${schema}.append(${places.join(', ')}::${vector.name}[]) as seqs`
    return { text: this.#text, values }
  }

  #newNodesText(shape: NewNodesShape): string {
    const key = JSON.stringify(shape)
    const text = this.#newNodesTexts.get(key) ?? newNodesText(this.#database.schema, shape, this.#embedders.type.name)
    this.#newNodesTexts.set(key, text)
    return text
  }
}

function knownAs(version: NewHead['version'], firstCreatedAt: number): KnownHead {
  const { json: _, oldStatus: _old, createdBy: _by, provenanceMutation: _mutation, ...head } = version
  return { ...head, firstCreatedAt }
}

function withChange({ text, values = [] }: Statement, also: WithinOptions['also']): Statement {
  if (also === undefined) return { text, values }
  const change = also(values.length)
  return { text: `with also as (${change.text}) ${text}`, values: [...values, ...(change.values ?? [])] }
}

/** The server's clock in whole milliseconds. */
export const serverNow = `floor(extract(epoch from clock_timestamp()) * 1000)::bigint`
