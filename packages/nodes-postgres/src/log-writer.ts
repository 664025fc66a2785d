/**
 * The one way versions come to be: load what an append touches, decide in this process, write by one statement that
 * refuses when anything judged has moved. The first try locks nothing while it thinks; after a collision the heads are
 * locked first, so that a busy node is not lost to every faster writer.
 */
import {
  type AppendOptions,
  type ConceptSet,
  decideAppend,
  type Draft,
  type KnownHead,
  type NewHead,
  type Node,
  prepareAppend,
  type PreparedAppend,
} from '@agentm/nodes'
import type { Database, Run } from './database.ts'
import type { Embedders } from './embedders.ts'
import { headsFrom, knownOf, type KnownRow, nodeColumns } from './node-rows.ts'
import { appendArguments, type DecidedAppend } from './pure/append-arguments.ts'
import type { ServerClock } from './server-clock.ts'

export class LogWriter {
  readonly #database: Database
  readonly #concepts: ConceptSet
  readonly #clock: ServerClock
  readonly #embedders: Embedders
  readonly #durability: 'full' | 'normal'
  readonly #appended: () => void

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
  async appendWithin(run: Run, append: PreparedAppend, full: boolean): Promise<readonly Node[]> {
    return this.#write(run, append, { known: await this.#load(run, append), full })
  }

  async askClock(): Promise<void> {
    const [row] = await this.#database.read<{ at: number }>({ text: `select ${serverNow} as at` })
    if (row !== undefined) this.#clock.heard(row.at)
  }

  async #freely(append: PreparedAppend, full: boolean, made: ReadonlySet<string>): Promise<readonly Node[]> {
    const wanted = [...append.writes, ...append.reads].filter((id) => !made.has(id))
    const read: Run = async (statement) => this.#database.read(statement)
    const known = wanted.length === 0 ? new Map<string, KnownHead>() : await this.#loadIds(read, wanted)
    return this.#write(async (statement) => this.#database.write(statement), append, { known, full })
  }

  async #locked(append: PreparedAppend, full: boolean): Promise<readonly Node[]> {
    const { schema } = this.#database
    return this.#database.transaction(async (run) => {
      await run({
        text: `select from ${schema}.heads where id = any ($1) order by id for update`,
        values: [append.writes],
      })
      return this.appendWithin(run, append, full)
    })
  }

  async #load(run: Run, append: PreparedAppend): Promise<Map<string, KnownHead>> {
    return this.#loadIds(run, [...append.writes, ...append.reads])
  }

  async #loadIds(run: Run, ids: readonly string[]): Promise<Map<string, KnownHead>> {
    const rows = await run<KnownRow>({
      text: `select ${nodeColumns}, h.first_created_at from ${headsFrom(this.#database.schema)} where h.id = any ($1)`,
      values: [ids],
    })
    return new Map(rows.map((row) => [row.id, knownOf(row)]))
  }

  async #write(
    run: Run,
    append: PreparedAppend,
    { known, full }: { readonly known: ReadonlyMap<string, KnownHead>; readonly full: boolean },
  ): Promise<readonly Node[]> {
    const at = this.#clock.now()
    const decision = decideAppend(append, { at, heads: known, concepts: this.#concepts })
    const vectors = await this.#vectorRows(decision.heads)
    const decided: DecidedAppend = { append, decision, known, at, full, vectors }
    const values = appendArguments(decided, this.#concepts)
    const [row] = await run<{ seqs: readonly number[] | null }>({
      text: this.#statement(values.length),
      values,
    })
    return decision.versions.map(({ json, oldStatus: _old, ...version }, i) => ({
      ...version,
      seq: row?.seqs?.[i] ?? 0,
      payload: JSON.parse(json),
    }))
  }

  async #vectorRows(heads: readonly NewHead[]) {
    const given = heads.flatMap(({ version, facts, vector }) =>
      vector === undefined || facts.recall === undefined ? [] : [{ id: version.id, vector }],
    )
    return given.length === 0 ? [] : this.#embedders.rows(given)
  }

  #statement(count: number): string {
    return `select ${this.#database.schema}.append(${Array.from({ length: count }, (_, i) => `$${i + 1}`).join(', ')}) as seqs`
  }
}

/** The server's clock in whole milliseconds. */
export const serverNow = `floor(extract(epoch from clock_timestamp()) * 1000)::bigint`
