/**
 * Packs vectors into segments, so that a cold process reads a hundred blobs instead of a hundred thousand rows. A process that had to read
 * many rows packs them in the background for the next one. Without segments a store gives the same answers, but needs longer.
 */
import { packSegment } from '@agentm/nodes/store-kit'
import type { Database, Run } from './database.ts'
import type { KnownEmbedder } from './embedders.ts'
import { factsOf, quantizedOf, vectorRows } from './vector-rows.ts'

const rowsPerSegment = 1024
/** Number of unpacked rows from which packing is worth it. */
const step = 4096

export class SegmentPacker {
  readonly #database: Database
  #packing: Promise<void> = Promise.resolve()

  constructor(database: Database) {
    this.#database = database
  }

  /** To be called after rows were read that segments could have contained. */
  consider(embedder: KnownEmbedder, rows: number): void {
    if (rows < step) return
    // A failure is ignored, because packing only saves time: a process without the right to write, or that would block another, does not
    // pack.
    this.#packing = this.#packing.then(async () => this.#pack(embedder)).catch(() => undefined)
  }

  /** Packs before a short-lived process ends. */
  async close(): Promise<void> {
    await this.#packing
  }

  async #pack(embedder: KnownEmbedder): Promise<void> {
    const { schema } = this.#database
    await this.#database.transaction(async (run) => {
      const free = await run({ text: `select from ${schema}.packing for update skip locked`, once: true })
      if (free.length > 0) await packEmbedder(run, schema, embedder)
    })
  }
}

interface Packed {
  readonly number: number
  readonly since: string
  readonly total: number
}

/** Packs under the packing lock, so that an erasure waits and then deletes the segments. */
async function packEmbedder(run: Run, schema: string, embedder: KnownEmbedder): Promise<void> {
  const [now] = await run<{ since: string; live: number }>({
    text: `select pg_snapshot_xmin(pg_current_snapshot())::text as since,
      (select count(*) from ${schema}.vectors where embedder = $1 and quantized is not null) as live`,
    values: [embedder.id],
    once: true,
  })
  const [last] = await run<Packed>({
    text: `select number, since::text as since, sum(rows) over () as total from ${schema}.segments
      where embedder = $1 order by number desc limit 1`,
    values: [embedder.id],
    once: true,
  })
  if (now === undefined) return
  // Most packed rows are superseded or deleted, so all segments are packed again.
  const anew = last === undefined || last.total > 2 * now.live + step
  if (anew) await run({ text: `delete from ${schema}.segments where embedder = $1`, values: [embedder.id], once: true })
  const since = anew ? undefined : last.since
  let number = anew ? 0 : last.number
  for (let after: number | undefined = -1; after !== undefined;) {
    const rows = await vectorRows(run, { schema, embedder, after, since, limit: rowsPerSegment })
    after = rows.length < rowsPerSegment ? undefined : rows.at(-1)?.key
    if (rows.length === 0) break
    number += 1
    const packed = rows.map((row) => ({ facts: factsOf(row), row: quantizedOf(row) }))
    await run({
      text: `insert into ${schema}.segments (embedder, number, since, rows, data) values ($1, $2, $3::text::xid8, $4, $5)`,
      values: [embedder.id, number, now.since, rows.length, Buffer.from(packSegment(packed, embedder.dimensions))],
    })
  }
}

/** Deletes the segments, in the transaction that erases a text they may contain. Waits for a running packing. */
export async function dropSegments(run: Run, schema: string): Promise<void> {
  await run({ text: `update ${schema}.packing set epoch = epoch + 1`, once: true })
  await run({ text: `delete from ${schema}.segments`, once: true })
}
