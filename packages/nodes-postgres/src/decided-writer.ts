/** Writes what is decided by one statement, with what goes along with it, and remembers what it wrote. */
import {
  type ConceptSet,
  decideAppend,
  type FreedDraft,
  type KnownHead,
  type NewHead,
  type Node,
  type PreparedAppend,
} from '@agentm/nodes'
import { AppendStatements, withChange } from './append-statements.ts'
import { BeingWritten } from './being-written.ts'
import type { Database, Run, Statement } from './database.ts'
import type { Embedders } from './embedders.ts'
import {
  decideFreed,
  freedCall,
  type Freeing,
  type FreeRow,
  freeingOf,
  freeingToo,
  freeRows,
  stillFree,
} from './freeing.ts'
import type { KnownRow } from './node-rows.ts'
import type { DecidedAppend } from './pure/append-arguments.ts'
import { RecentHeads } from './recent-heads.ts'
import type { ServerClock } from './server-clock.ts'
import type { TakeAlong, TurnRow } from './take-call.ts'

export type Decided = Pick<DecidedAppend, 'at' | 'decision'>
type GivenDecision = Omit<DecidedAppend, 'append' | 'vectors'>

interface Free {
  readonly freed: FreedDraft
  readonly rows: readonly KnownRow[]
  readonly full: boolean
}

export interface Sending {
  readonly run: Run
  readonly also?: ((from: number) => Statement) | undefined
  /** Claims to be made behind it, in the same statement. */
  readonly along?: TakeAlong
}

export interface DecidedWriterParts {
  readonly database: Database
  readonly concepts: ConceptSet
  readonly clock: ServerClock
  readonly embedders: Embedders
}

export class DecidedWriter {
  readonly #database: Database
  readonly #concepts: ConceptSet
  readonly #clock: ServerClock
  readonly #embedders: Embedders
  readonly #statements: AppendStatements
  readonly #beingWritten = new BeingWritten()
  readonly recent = new RecentHeads()
  /** Each statement in a transaction of its own. */
  readonly alone: Run = async (statement) => this.#database.write(statement)

  constructor({ database, concepts, clock, embedders }: DecidedWriterParts) {
    this.#database = database
    this.#concepts = concepts
    this.#clock = clock
    this.#embedders = embedders
    this.#statements = new AppendStatements(database.schema, concepts, embedders)
  }

  async settled(ids: readonly string[]): Promise<void> {
    await this.#beingWritten.settled(ids)
  }

  async write(sending: Sending, append: PreparedAppend, given: GivenDecision): Promise<readonly Node[]> {
    const nodes = await this.writeOr(sending, append, given)
    if (nodes === undefined) throw new TypeError('an append that has seen what it writes is refused by an error')
    return nodes
  }

  /** After the commit of a statement that stood alone. */
  remembering<T extends readonly Node[] | undefined>({ decision }: Decided, nodes: T): T {
    if (nodes !== undefined)
      for (const { version, firstCreatedAt } of decision.heads)
        this.recent.note(knownAs(version, firstCreatedAt), version.json)
    return nodes
  }

  decideOr(append: PreparedAppend, known: ReadonlyMap<string, KnownHead>, at?: number): Decided | undefined {
    try {
      return this.decide(append, known, at)
    } catch {
      // Refused on what is believed; on what is there it may be right, and only a look can tell.
      return undefined
    }
  }

  decide(append: PreparedAppend, heads: ReadonlyMap<string, KnownHead>, at = this.#clock.now()): Decided {
    return { at, decision: decideAppend(append, { at, heads, concepts: this.#concepts }) }
  }

  /** Nothing when one of the unseen was there already; then nothing was written. */
  async writeOr(sending: Sending, append: PreparedAppend, given: GivenDecision): Promise<readonly Node[] | undefined> {
    const { decision, unseen } = given
    const vectors = await this.#vectorRows(decision.heads)
    const freeing = freeingOf(append, decision, this.#concepts)
    // A write that fails says that something moved; what is known of it is old from here on.
    const ids = decision.heads.map(({ version }) => version.id)
    this.recent.forget(ids)
    const writing = this.#send(sending, { ...given, append, vectors }, freeing)
    const rows = await (sending.run === this.alone ? this.#beingWritten.announce(ids, writing) : writing)
    const seqs = rows[0]?.written ?? []
    if (unseen.length > 0 && seqs.length === 0) return undefined
    if (freeing !== undefined)
      await this.#free(sending.run, append, { ...freeing, rows: freeRows(rows), full: given.full })
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
    if (run !== this.alone) return this.#writeFreed(run, append, free)
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
      const nodes = await this.write({ run }, freed.append, { ...freed, at, full: free.full, unseen: [] })
      if (run === this.alone) this.remembering({ ...freed, at }, nodes)
    }
  }

  async #send(
    { run, also, along }: Sending,
    decided: DecidedAppend,
    freeing: Freeing | undefined,
  ): Promise<readonly FreeRow[]> {
    const { schema } = this.#database
    const freed = freeing && freedCall(freeing, { schema, owner: decided.append.owner })
    if (along !== undefined) {
      const statement = along.behind(this.#statements.call(decided), freed, decided.full)
      return along.heard(await run<TurnRow>(statement))
    }
    const statement = this.#statements.of(decided)
    return run<FreeRow>(withChange(freed === undefined ? statement : freeingToo(statement, freed), also))
  }

  async #vectorRows(heads: readonly NewHead[]) {
    const given = heads.flatMap(({ version, facts, vector }) =>
      vector === undefined || facts.recall === undefined ? [] : [{ id: version.id, vector }],
    )
    return given.length === 0 ? [] : this.#embedders.rows(given)
  }
}

function knownAs(version: NewHead['version'], firstCreatedAt: number): KnownHead {
  const { json: _, oldStatus: _old, createdBy: _by, provenanceMutation: _mutation, ...head } = version
  return { ...head, firstCreatedAt }
}
