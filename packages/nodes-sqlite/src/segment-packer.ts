/**
 * Packs vectors into segments as they accumulate, so that a process that starts cold reads a hundred blobs instead of a
 * hundred thousand rows. Only writers pack; a store without segments gives the same answers, later.
 */
import { packSegment, quantizeRow } from '@agentm/nodes'
import type { Connection } from './connection.ts'
import type { StoreContext } from './store-context.ts'
import { counter, factsOf, floatsOf } from './vector-cache.ts'

const rowsPerSegment = 1024
/** So many changes are worth a look. */
const step = 4096

export class SegmentPacker {
  readonly #context: StoreContext
  #lookAt: number | undefined
  #packing = false

  constructor(context: StoreContext) {
    this.#context = context
  }

  /** After a write; packs in a transaction of its own when there is enough to pack. */
  consider(): void {
    const { reader, queue, isClosed } = this.#context
    if (this.#packing || isClosed()) return
    this.#lookAt ??= reader.number('select max(upto) from segments') + step
    if (counter(reader, 'change') < this.#lookAt) return
    this.#packing = true
    void this.#pack(queue)
  }

  async #pack(queue: StoreContext['queue']): Promise<void> {
    const { writer } = this.#context
    try {
      this.#lookAt = await queue.run(() => packAll(writer) + step, { durability: 'normal' })
    } catch {
      // Packing saves time and nothing else; the next write tries again.
    } finally {
      this.#packing = false
    }
  }
}

/** Packs every embedder's unpacked vectors; answers the change it is packed up to. */
export function packAll(writer: Connection): number {
  const change = counter(writer, 'change')
  for (const row of writer.all('select number, dimensions from embedders'))
    packEmbedder(writer, Number(row['number']), Number(row['dimensions']), change)
  return change
}

function packEmbedder(writer: Connection, embedder: number, dimensions: number, change: number): void {
  const packed = writer.number('select coalesce(sum(rows), 0) from segments where embedder = ?', embedder)
  const live = writer.number('select count(*) from vectors')
  // Mostly superseded rows: begin anew, and tell caches that the list of the gone begins anew with it.
  if (packed > 2 * live + step) dropSegments(writer)
  const upto = writer.number('select coalesce(max(upto), 0) from segments where embedder = ?', embedder)
  for (let above = 0; ;) {
    const rows = writer.all(
      `select r.key, r.owner, r.concept, r.partition, r.status, r.active, r.created_at, r.ages_from, v.unit
        from recall r join vectors v on v.key = r.key
        where r.change > ? and r.embedder = ? and r.key > ? order by r.key limit ${rowsPerSegment}`,
      upto,
      embedder,
      above,
    )
    if (rows.length === 0) break
    above = Number(rows.at(-1)?.['key'])
    const data = packSegment(
      rows.map((row) => ({ facts: factsOf(row), row: quantizeRow(floatsOf(row['unit'])) })),
      dimensions,
    )
    writer.run(
      'insert into segments (embedder, upto, rows, data) values (?, ?, ?, ?)',
      embedder,
      change,
      rows.length,
      data,
    )
  }
}

function dropSegments(writer: Connection): void {
  writer.run('delete from segments')
  writer.run('delete from gone')
  writer.run("update counters set value = value + 1 where name = 'epoch'")
}
