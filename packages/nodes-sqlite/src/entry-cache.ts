/**
 * What was put under one concept, as this process last read it, brought up to the state a snapshot sees: whoever asks for
 * everything at every question pays for what changed since. Called inside a snapshot. What is handed out is shared, and
 * stays as it is.
 */
import type { RecallEntry } from '@agentm/nodes'
import { latestChange } from './change-counter.ts'
import type { Connection } from './connection.ts'
import type { Row } from './database.ts'
import { objectIn } from './rows.ts'
import { epochOf } from './vector-cache.ts'

interface Cached {
  readonly epoch: number
  change: number
  readonly byRow: Map<number, RecallEntry>
  entries: readonly RecallEntry[]
}

// About a kilobyte each; more than this is read anew every time instead of being held.
const mostHeld = 50_000
const columns = 'r.key, r.id, r.source, r.concept, r.partition, r.data'

export class EntryCache {
  readonly #reader: Connection
  readonly #cached = new Map<string, Cached>()

  constructor(reader: Connection) {
    this.#reader = reader
  }

  /** In the order of their ids. */
  entries(owner: string, concept: string): readonly RecallEntry[] {
    const name = JSON.stringify([owner, concept])
    const [epoch, change] = [epochOf(this.#reader), latestChange(this.#reader)]
    const known = this.#cached.get(name)
    if (known === undefined || known.epoch !== epoch) return this.#read(name, { owner, concept, epoch, change })
    if (known.change !== change) this.#follow(known, owner, concept)
    known.change = change
    return known.entries
  }

  #read(
    name: string,
    { owner, concept, ...at }: { owner: string; concept: string; epoch: number; change: number },
  ): readonly RecallEntry[] {
    const rows = this.#reader.all(
      `select ${columns} from recall r where r.seq is null and r.owner = ? and r.concept = ?`,
      owner,
      concept,
    )
    const byRow = new Map(rows.map((row) => [Number(row['key']), entryOf(row)]))
    const entries = inOrder(byRow)
    this.#cached.delete(name)
    if (byRow.size <= mostHeld) this.#cached.set(name, { ...at, byRow, entries })
    return entries
  }

  #follow(known: Cached, owner: string, concept: string): void {
    const { byRow } = known
    let isNew = false
    const take = (row: Row) => {
      const key = Number(row['key'])
      if (row['id'] === null) isNew = byRow.delete(key) || isNew
      else {
        byRow.set(key, entryOf(row))
        isNew = true
      }
    }
    for (const row of this.#reader.iterate(stirredRows, owner, concept, known.change, known.change)) take(row)
    for (const row of this.#reader.iterate(newRows, owner, concept, known.change)) take(row)
    if (isNew) known.entries = inOrder(byRow)
  }
}

/** Rows from before that were changed; without an id where they are gone, or belong to something else. */
const stirredRows = `select s.key, ${columns.replace('r.key, ', '')}
  from (select distinct key from stirred where change > ?3 and key <= ?4) s
  left join recall r on r.key = s.key and r.seq is null and r.owner = ?1 and r.concept = ?2`

const newRows = `select ${columns} from recall r where r.key > ?3 and r.seq is null and r.owner = ?1 and r.concept = ?2`

function inOrder(byRow: ReadonlyMap<number, RecallEntry>): readonly RecallEntry[] {
  return [...byRow.values()].toSorted((a, b) => compareText(a.id, b.id))
}

/** As SQLite orders text: by code points, which differ from UTF-16 only where there are surrogates. */
function compareText(a: string, b: string): number {
  if (surrogate.test(a) || surrogate.test(b)) return Buffer.compare(Buffer.from(a), Buffer.from(b))
  return a < b ? -1 : 1
}

const surrogate = /[\uD800-\uDFFF]/

export function entryOf(row: Row): RecallEntry {
  return {
    id: String(row['id']),
    source: String(row['source']),
    concept: String(row['concept']),
    partition: String(row['partition']),
    data: objectIn(row['data']),
  }
}
