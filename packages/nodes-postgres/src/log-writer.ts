/**
 * The one way versions come to be: load what an append touches, decide in this process, write by one statement that
 * refuses when anything judged has moved. The first try locks nothing while it thinks; after a collision the heads are
 * locked first, so that a busy node is not lost to every faster writer.
 */
import {
  type AppendDecision,
  type AppendOptions,
  type ConceptSet,
  type Draft,
  type KnownHead,
  type Node,
  prepareAppend,
  type PreparedAppend,
} from '@agentm/nodes'
import type { Database, Run, Statement } from './database.ts'
import { DecidedWriter, type DecidedWriterParts } from './decided-writer.ts'
import { NewIdGuess } from './new-id-guess.ts'
import { headsFrom, knownOf, type KnownRow, nodeColumns } from './node-rows.ts'
import { claimArguments } from './pure/append-arguments.ts'
import { groupedAppend, type GroupMember } from './pure/grouped-append.ts'
import type { ServerClock } from './server-clock.ts'
import { type Take, TakeAlong, type TakeRow, takeStatement } from './take-call.ts'
import { type QueuedAppend, type QueuedTake, TurnQueue } from './turn-queue.ts'

interface WithinOptions {
  readonly full: boolean
  /** A change to make in the same statement; its places begin after `from`. */
  readonly also?: (from: number) => Statement
}

interface Wanted {
  readonly wanted: readonly string[]
  readonly full: boolean
}

export interface DecidedClaims {
  readonly full: boolean
  readonly versions: AppendDecision['versions']
  readonly values: readonly unknown[]
}

export class LogWriter {
  readonly #database: Database
  readonly #concepts: ConceptSet
  readonly #clock: ServerClock
  readonly #durability: 'full' | 'normal'
  readonly #appended: () => void
  readonly #guess = new NewIdGuess()
  readonly #decided: DecidedWriter
  readonly #queue = new TurnQueue<Take, readonly TakeRow[]>(async (group, take) => this.#writeTurn(group, take))

  constructor(
    parts: DecidedWriterParts & {
      readonly durability: 'full' | 'normal'
      /** Called after every commit. */
      readonly appended: () => void
    },
  ) {
    this.#database = parts.database
    this.#concepts = parts.concepts
    this.#clock = parts.clock
    this.#durability = parts.durability
    this.#appended = parts.appended
    this.#decided = new DecidedWriter(parts)
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
    const decided = this.#decided.decideOr(append, known)
    if (decided === undefined) return undefined
    const values = claimArguments({ ...decided, append, known, full, unseen: [], vectors: [] }, this.#concepts)
    return values === undefined ? undefined : { versions: decided.decision.versions, full, values }
  }

  /** Along with what is appended in the same turn of the event loop, or alone. */
  async take(take: Take): Promise<readonly TakeRow[]> {
    return (await this.#queue.take(take)) ?? this.#database.write<TakeRow>(takeStatement(take(false)))
  }

  remember(heads: readonly KnownHead[]): void {
    for (const head of heads) this.#decided.recent.note(head, JSON.stringify(head.payload))
  }

  /** A head as a look found it: what is written of it next need not be read again. */
  saw(head: KnownHead, json: string): void {
    this.#decided.recent.saw(head, json)
  }

  async askClock(): Promise<void> {
    const [row] = await this.#database.read<{ at: number }>({ text: `select ${serverNow} as at` })
    if (row !== undefined) this.#clock.heard(row.at)
  }

  async #freely(append: PreparedAppend, full: boolean, made: ReadonlySet<string>): Promise<readonly Node[]> {
    const write = this.#decided.alone
    const wanted = [...append.writes, ...append.reads].filter((id) => !made.has(id))
    await this.#decided.settled(wanted)
    // What this process knows may be written without a look, together with what others of it write now.
    const known = this.#decided.recent.has(wanted) ? await this.#queue.append({ append, full, wanted }) : undefined
    return known ?? (await this.#unseen(write, append, { wanted, full })) ?? this.#seen(write, append, { wanted, full })
  }

  /** Decided on what this process itself wrote last; nothing for those of whom that is not all, or is no longer so. */
  async #writeTurn(
    group: readonly QueuedAppend[],
    take: QueuedTake<Take, readonly TakeRow[]> | undefined,
  ): Promise<readonly (readonly Node[] | undefined)[]> {
    const at = this.#clock.now()
    const decided = group.map((each) => this.#decideKnown(each, at))
    const [first, ...others] = decided.flatMap((each) => (each === undefined ? [] : [each]))
    if (first === undefined) return []
    const { append, decision, known } = groupedAppend([first, ...others])
    const full = group.some((each) => each.full)
    const sending = { run: this.#decided.alone, ...(take && { along: new TakeAlong(this.#database.schema, take) }) }
    const nodes = await this.#decided.write(sending, append, { at, decision, known, full, unseen: [] })
    this.#decided.remembering({ at, decision }, nodes)
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
    const known = this.#decided.recent.find(wanted)
    if (known === undefined) return undefined
    const decided = this.#decided.decideOr(append, known, at)
    if (decided === undefined) this.#decided.recent.forget(wanted)
    return decided && { ...decided, append, known }
  }

  /** Written as new without a look; nothing where that cannot be, or turns out to be wrong. */
  async #unseen(write: Run, append: PreparedAppend, { wanted, full }: Wanted): Promise<readonly Node[] | undefined> {
    if (!this.#guess.saysNew(append)) return undefined
    const known = new Map<string, KnownHead>()
    const decided = this.#decided.decideOr(append, known)
    if (decided !== undefined) {
      const nodes = await this.#decided.writeOr({ run: write }, append, { ...decided, known, full, unseen: wanted })
      if (nodes !== undefined) return this.#decided.remembering(decided, nodes)
    }
    this.#guess.wasWrong(append)
    return undefined
  }

  async #seen(write: Run, append: PreparedAppend, { wanted, full }: Wanted): Promise<readonly Node[]> {
    const read: Run = async (statement) => this.#database.read(statement)
    const known = await this.#loadIds(read, wanted)
    this.#guess.learn(append, known)
    const decided = this.#decided.decide(append, known)
    return this.#decided.remembering(
      decided,
      await this.#decided.write({ run: write }, append, { ...decided, known, full, unseen: [] }),
    )
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
    const sending = { run, ...(also && { also }) }
    return this.#decided.write(sending, append, { ...this.#decided.decide(append, known), known, full, unseen: [] })
  }
}

/** The server's clock in whole milliseconds. */
export const serverNow = `floor(extract(epoch from clock_timestamp()) * 1000)::bigint`
