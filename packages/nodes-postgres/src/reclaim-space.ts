/**
 * Makes the space of removed rows free again. VACUUM runs beside readers and writers: later rows use that space, and the end of a table is
 * cut off where it is free. A table of which most is free and little is used is rewritten, which gives the space back to the operating
 * system. Nobody can use that table meanwhile, so it has to be small, and be unused at the moment when the rewriting begins.
 */
import type { Client } from 'pg'
import { dropSegments } from './segment-packer.ts'
import type { StoreContext } from './store-context.ts'

const tables = ['nodes', 'heads', 'edges', 'items', 'vectors', 'segments']

/** Less free space than this is not worth the rewriting. */
const fewBytes = 16 * 2 ** 20
/** Rewriting this much takes about a second. */
const mostBytes = 256 * 2 ** 20
const attempts = 100
const pauseMs = 50

export async function reclaimSpace(
  context: StoreContext,
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<void> {
  const { database } = context
  const { schema } = database
  // Packed vectors may be those of removed nodes. They are packed again when they are needed.
  await database.transaction(async (run) => dropSegments(run, schema))
  const client = await database.connect('agentm vacuum')
  try {
    for (const table of tables.map((name) => `${schema}.${name}`)) {
      if (signal?.aborted === true) return
      // One statement each, because VACUUM cannot run in a transaction.
      await client.query(`vacuum (analyze) ${table}`)
      if (await isMostlyFree(client, table)) await rewrite(client, table, context, signal)
    }
  } finally {
    await database.disconnect(client)
  }
}

/** Repeats the attempt until nobody uses the table at that moment, instead of waiting for a lock, because others would wait behind it. */
async function rewrite(
  client: Client,
  table: string,
  { database: { settings } }: StoreContext,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { runtime } = settings
  const before = await fileOf(client, table)
  for (let i = 0; i < attempts; i++) {
    if (signal?.aborted === true) return
    await client.query(`vacuum (full, analyze, skip_locked) ${table}`)
    if ((await fileOf(client, table)) !== before) return
    await runtime.sleep(pauseMs * runtime.random())
  }
}

/** A table that is rewritten gets another file. */
async function fileOf(client: Client, table: string): Promise<string> {
  const { rows } = await client.query<{ file: string }>('select pg_relation_filenode($1::regclass)::text as file', [
    table,
  ])
  return rows[0]?.file ?? ''
}

const sampled = 10
/** What a row takes beside its values. */
const rowOverhead = 28

async function isMostlyFree(client: Client, table: string): Promise<boolean> {
  const { rows } = await client.query<{ bytes: string; used: string }>(
    `select pg_table_size($1::regclass)::text as bytes, coalesce((
        select reltuples * (select avg(pg_column_size(t)) + ${rowOverhead} from ${table} t tablesample system (${sampled}))
          from pg_class where oid = $1::regclass and reltuples > 0
      ), 0)::text as used`,
    [table],
  )
  const [bytes, used] = [Number(rows[0]?.bytes ?? 0), Number(rows[0]?.used ?? 0)]
  return bytes - used > fewBytes && used < bytes / 2 && used < mostBytes
}
