/**
 * Whether the server compares vectors itself. The column is added when the extension is there; a store made without it
 * takes it up later, and what it holds by then stays readable by the scan.
 */
import type { Database } from './database.ts'

/** More do not fit into one page beside their row; those are scanned in this process. */
const mostDimensions = 1900

export type VectorSetting = 'auto' | 'scan' | 'pgvector'

export interface VectorType {
  /** Up to how many dimensions the server takes vectors; 0 where it does not. */
  readonly dimensions: number
  /** The schema its extension lives in; everything of it is named in full, whatever the search path says. */
  readonly extension: string
}

const none: VectorType = { dimensions: 0, extension: '' }

export async function vectorType(database: Database, setting: VectorSetting): Promise<VectorType> {
  if (setting === 'scan') return none
  const found = await extensionSchema(database)
  if (found === undefined) {
    if (setting === 'pgvector')
      throw new TypeError('this server has no pgvector of version 0.8 or newer; install it, or let vectors be "auto"')
    return none
  }
  if (!(await isPrepared(database))) await prepare(database, found)
  return { dimensions: mostDimensions, extension: found }
}

async function extensionSchema(database: Database): Promise<string | undefined> {
  const known = await installed(database)
  if (known !== undefined) return known
  const [offered] = await database.read<{ fits: boolean }>({
    text: `select string_to_array(default_version, '.')::int[] >= array[0, 8] as fits from pg_available_extensions where name = 'vector'`,
    once: true,
  })
  if (offered?.fits !== true) return undefined
  // Making an extension takes rights that an ordinary user mostly has not; then it is as if there were none.
  await database.write({ text: 'create extension if not exists vector', once: true }).catch(() => undefined)
  return installed(database)
}

async function installed(database: Database): Promise<string | undefined> {
  const [row] = await database.read<{ schema: string; fits: boolean }>({
    text: `select quote_ident(n.nspname) as schema, string_to_array(e.extversion, '.')::int[] >= array[0, 8] as fits
      from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = 'vector'`,
    once: true,
  })
  return row?.fits === true ? row.schema : undefined
}

async function isPrepared(database: Database): Promise<boolean> {
  const [row] = await database.read<{ there: boolean }>({
    text: `select exists (
        select from pg_attribute where attrelid = to_regclass($1) and attname = 'vec' and not attisdropped
      ) as there`,
    values: [`${database.schema}.vectors`],
    once: true,
  })
  return row?.there === true
}

async function prepare(database: Database, extension: string): Promise<void> {
  const { schema } = database
  await database.transaction(async (run) => {
    await run({
      text: `select pg_advisory_xact_lock(hashtextextended('agentm ' || $1, 0))`,
      values: [schema],
      once: true,
    })
    await run({ text: `alter table ${schema}.vectors add column if not exists vec ${extension}.vector`, once: true })
    // Kept in the row: fetched from beside it, every comparison would cost a second read.
    await run({ text: `alter table ${schema}.vectors alter column vec set storage plain`, once: true })
    await run({
      text: `create or replace function ${schema}.to_vector(_text text) returns ${extension}.vector
        language sql immutable strict parallel safe as $body$ select _text::${extension}.vector $body$`,
      once: true,
    })
  })
}
