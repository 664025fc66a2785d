/**
 * Packs vectors into segments, so that a cold process reads a hundred blobs instead of a hundred thousand rows.
 * Only writers pack. Without segments a store gives the same answers, but needs longer.
 */
import { packSegment, quantizeRow } from '@agentm/nodes/store-kit'
import { latestChange } from './change-counter.ts'
import type { Connection } from './connection.ts'
import type { StoreContext } from './store-context.ts'
import { factsOf, floatsOf } from './vector-cache.ts'

const rowsPerSegment = 1024
/** Number of changes after which packing is considered. */
const step = 4096
/** A closing process packs if more rows than this are unpacked, because every new process would have to read them. */
const stepAtClose = 512
const pauseMs = 200

export class SegmentPacker {
  readonly #context: StoreContext
  #packed: number | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(context: StoreContext) {
    this.#context = context
  }

  /** To be called after a write. Packing waits for a pause, so that it delays no writer. */
  consider(): void {
    if (this.#timer === undefined && this.#isWorthwhile())
      this.#timer = setTimeout(() => void this.#packQuietly(), pauseMs).unref()
  }

  /** Packs before the process ends, because a short-lived process has no pause. */
  async close(): Promise<void> {
    clearTimeout(this.#timer)
    if (this.#isWorthwhile(stepAtClose)) await this.#packQuietly()
  }

  #isWorthwhile(changes = step): boolean {
    const { writer, reader } = this.#context
    const { committed } = writer.changes
    if (committed === 0) return false
    this.#packed ??= reader.number('select max(upto) from segments')
    return committed >= this.#packed + changes
  }

  async #packQuietly(): Promise<void> {
    const { writer, queue } = this.#context
    try {
      this.#packed = await queue.run(() => packAll(writer), { durability: 'normal' })
    } catch {
      // A failure is ignored, because packing only saves time. A later write tries again.
    } finally {
      this.#timer = undefined
    }
  }
}

/** Packs the unpacked vectors of every embedder. Returns the change number up to which they are packed. */
export function packAll(writer: Connection): number {
  const change = latestChange(writer)
  for (const row of writer.all('select number, dimensions from embedders'))
    packEmbedder(writer, Number(row['number']), Number(row['dimensions']), change)
  return change
}

function packEmbedder(writer: Connection, embedder: number, dimensions: number, change: number): void {
  const held = writer.number('select coalesce(sum(rows), 0) from segments where embedder = ?', embedder)
  const live = writer.number('select count(*) from recall')
  // Most packed rows are superseded, so all segments are dropped. A new epoch makes caches reload.
  if (held > 2 * live + step) dropSegments(writer)
  const upto = writer.number('select coalesce(max(upto), 0) from segments where embedder = ?', embedder)
  for (const source of [stirred, fresh])
    for (let above = 0; ;) {
      const rows = writer.all(source, upto, embedder, above)
      if (rows.length === 0) break
      above = Number(rows.at(-1)?.['key'])
      const packed = rows.map((row) => ({ facts: factsOf(row), row: quantizeRow(floatsOf(row['unit'])) }))
      const data = packSegment(packed, dimensions)
      writer.run(
        'insert into segments (embedder, upto, rows, data) values (?, ?, ?, ?)',
        embedder,
        change,
        rows.length,
        data,
      )
    }
}

const columns = 'r.key, r.owner, r.concept, r.partition, r.status, r.active, r.created_at, r.ages_from, r.unit'

/** Packed rows that changed since. */
const stirred = `select ${columns}
  from (select distinct key from stirred where change > ?1 and key <= ?1) s
    join recall r on r.key = s.key
  where r.embedder = ?2 and r.key > ?3 order by r.key limit ${rowsPerSegment}`

const fresh = `select ${columns} from recall r
  where r.key > ?1 and r.embedder = ?2 and r.key > ?3 order by r.key limit ${rowsPerSegment}`

function dropSegments(writer: Connection): void {
  writer.run('delete from segments')
  // The newest entry stays, because numbering continues from it.
  writer.run('delete from stirred where change < (select max(change) from stirred)')
  writer.run("update counters set value = value + 1 where name = 'epoch'")
}
