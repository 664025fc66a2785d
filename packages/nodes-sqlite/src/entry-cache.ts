/**
 * A cache of the indexed items of one concept, updated to the state that a snapshot sees. A caller that asks for all items at each query
 * then pays only for changes. Must be called inside a snapshot. Returned arrays are shared between callers and never changed.
 */
import type { Payload, RecallEntry, RecallStore } from '@agentm/nodes'
import { latestChange } from './change-counter.ts'
import type { Connection } from './connection.ts'
import type { Row } from './database.ts'
import { type EntriesOf, isPackWanted, readPack, writePack } from './entry-packs.ts'
import { objectIn } from './rows.ts'
import { epochOf } from './vector-cache.ts'

type Entries = Awaited<ReturnType<RecallStore['entries']>>

interface Cached extends EntriesOf {
  /** The last change that the cache contains. */
  change: number
  /** The last change that affected one of these items. */
  changedAt: number
  readonly byRow: Map<number, RecallEntry>
  entries: readonly RecallEntry[]
}

// Items are about a kilobyte each. A larger set is not cached and is read from the file each time.
const mostHeld = 50_000
const columns = 'r.key, r.id, r.source, r.concept, r.partition, r.data'

export class EntryCache {
  readonly #reader: Connection
  readonly #cached = new Map<string, Cached>()

  constructor(reader: Connection) {
    this.#reader = reader
  }

  /** The items, ordered by id. */
  entries(owner: string, concept: string): Entries {
    const { entries, epoch, changedAt } = this.#now(owner, concept)
    return { entries, revision: `${epoch}-${changedAt}` }
  }

  #now(owner: string, concept: string): Cached {
    const name = JSON.stringify([owner, concept])
    const [epoch, change] = [epochOf(this.#reader), latestChange(this.#reader)]
    const known = this.#cached.get(name)
    if (known === undefined || known.epoch !== epoch) return this.#read(name, { owner, concept, epoch }, change)
    if (known.change !== change) this.#follow(known, change)
    known.change = change
    return known
  }

  /** The requested entries that are worth packing now; must be called outside a snapshot. */
  packs(): readonly ((writer: Connection) => void)[] {
    return this.#reader.snapshot(() => {
      const asked = Array.from(this.#cached.values(), ({ owner, concept }) => ({ owner, concept }))
      for (const { owner, concept } of asked) this.#now(owner, concept)
      return [...this.#cached.values()]
        .filter((cached) => isPackWanted(this.#reader, cached, cached))
        .map(({ change, byRow, ...of }) => {
          // Packed in the order in which they are returned, so that a reader has little left to sort.
          const now = new Map([...byRow].toSorted(([, a], [, b]) => compareText(a.id, b.id)))
          return (writer: Connection) => {
            // If the epoch changed meanwhile, the change numbers are no longer comparable.
            if (epochOf(writer) === of.epoch) writePack(writer, of, { change, byRow: now })
          }
        })
    })
  }

  #read(name: string, of: EntriesOf, change: number): Cached {
    const cached = this.#packed(of, change) ?? this.#whole(of, change)
    this.#cached.delete(name)
    if (cached.byRow.size <= mostHeld) this.#cached.set(name, cached)
    return cached
  }

  #packed(of: EntriesOf, change: number): Cached | undefined {
    const pack = readPack(this.#reader, of)
    if (pack === undefined || pack.change > change) return undefined
    const { byRow } = pack
    if (pack.change !== change) this.#changesSince(pack.change, of, byRow)
    return { ...of, change, changedAt: change, byRow, entries: inOrder([...byRow.values()]) }
  }

  #whole({ owner, concept, epoch }: EntriesOf, change: number): Cached {
    const byRow = new Map<number, RecallEntry>()
    for (const { key, entry } of readAll(this.#reader, owner, concept)) byRow.set(key, entry)
    return { owner, concept, epoch, change, changedAt: change, byRow, entries: inOrder([...byRow.values()]) }
  }

  #follow(known: Cached, change: number): void {
    const changes = this.#changesSince(known.change, known, known.byRow)
    if (changes.gone.size + changes.come.length === 0) return
    known.entries = withChanges(known.entries, changes)
    known.changedAt = change
  }

  #changesSince(change: number, { owner, concept }: EntriesOf, byRow: Map<number, RecallEntry>) {
    const gone = new Set<RecallEntry>()
    const come: RecallEntry[] = []
    const take = (row: Row) => {
      const key = Number(row['key'])
      const before = byRow.get(key)
      if (before !== undefined) gone.add(before)
      byRow.delete(key)
      if (row['id'] === null) return
      const entry = entryOf(row)
      byRow.set(key, entry)
      come.push(entry)
    }
    for (const row of this.#reader.iterate(stirredRows, owner, concept, change, change)) take(row)
    for (const row of this.#reader.iterate(newRows, owner, concept, change)) take(row)
    return { gone, come }
  }
}

/** Applies changes to a sorted list. Most changes affect one note, so the other items keep their order. */
function withChanges(
  entries: readonly RecallEntry[],
  { gone, come }: { readonly gone: ReadonlySet<RecallEntry>; readonly come: readonly RecallEntry[] },
): readonly RecallEntry[] {
  const kept = entries.filter((entry) => !gone.has(entry))
  if (come.length > mostInserted) return inOrder([...kept, ...come])
  for (const entry of come) kept.splice(placeFor(entry, kept), 0, entry)
  return kept
}

const mostInserted = 16

function placeFor({ id }: RecallEntry, entries: readonly RecallEntry[]): number {
  let [low, high] = [0, entries.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const there = entries[middle]
    if (there !== undefined && compareText(there.id, id) < 0) low = middle + 1
    else high = middle
  }
  return low
}

/** An entry as one JSON text, because transferring each column of each row takes longer than reading them. */
type PackedEntry = readonly [key: number, id: string, source: string, partition: string, data: Payload | null]

const packed = `'[' || r.key || ',' || json_quote(r.id) || ',' || json_quote(r.source) || ',' || json_quote(r.partition)
  || ',' || coalesce(r.data, 'null') || ']'`

// A page is limited, because SQLite texts and JavaScript strings are limited to about half a gigabyte.
const pageSize = 10_000
const page = `select group_concat(entry) as entries from (
  select ${packed} as entry from recall r indexed by recall_source
  where r.seq is null and r.owner = ?1 and r.concept = ?2 and (r.source, r.key) > (?3, ?4) order by r.source, r.key limit ?5)`

function* readAll(reader: Connection, owner: string, concept: string) {
  let rows: readonly PackedEntry[] = []
  do {
    const [lastKey = -1, , lastSource = ''] = rows.at(-1) ?? []
    const text = reader.get(page, owner, concept, lastSource, lastKey, pageSize)?.['entries']
    rows = JSON.parse(`[${typeof text === 'string' ? text : ''}]`) as PackedEntry[]
    for (const [key, id, source, partition, data] of rows)
      yield { key, entry: { id, source, concept, partition, data: data ?? {} } }
  } while (rows.length === pageSize)
}

/** Older rows that were changed. The id is null if the row is gone or now belongs to another concept. */
const stirredRows = `select s.key, ${columns.replace('r.key, ', '')}
  from (select distinct key from stirred where change > ?3 and key <= ?4) s
  left join recall r on r.key = s.key and r.seq is null and r.owner = ?1 and r.concept = ?2`

const newRows = `select ${columns} from recall r where r.key > ?3 and r.seq is null and r.owner = ?1 and r.concept = ?2`

function inOrder(entries: readonly RecallEntry[]): readonly RecallEntry[] {
  return surrogate.test(entries.map(({ id }) => id).join('\n'))
    ? entries.toSorted((a, b) => compareText(a.id, b.id))
    : entries.toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

/** Compares like SQLite: by code points, which differs from UTF-16 order only for surrogates. */
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
