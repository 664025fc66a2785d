/**
 * Whether the server can compare vectors. The column is added once the extension exists. A store created without it adds the column later,
 * and its earlier vectors remain readable by the scan.
 */
import type { Database } from './database.ts'
import type { VectorSetting } from './postgres-store-options.ts'

/** Longer vectors do not fit into one page with their row, so this process scans them. */
const mostDimensions = 1900

export interface VectorType {
  /** The most dimensions that the server accepts in a vector; 0 if it cannot compare vectors. */
  readonly dimensions: number
  /** The schema of the extension. All its names are written in full, whatever the search path is. */
  readonly extension: string
  /** The type and its number in this database. Without one, a text column that is always null takes its place. */
  readonly name: string
  readonly oid: number
}

const none: VectorType = { dimensions: 0, extension: '', name: 'text', oid: 25 }

export async function vectorType(database: Database, setting: VectorSetting): Promise<VectorType> {
  if (setting === 'scan') return none
  const found = await findExtension(database)
  if (found === undefined) {
    if (setting === 'pgvector')
      throw new TypeError('this server has no pgvector of version 0.8 or newer; install it, or let vectors be "auto"')
    return none
  }
  if (!found.prepared) await prepare(database, found.schema)
  return { dimensions: mostDimensions, extension: found.schema, name: `${found.schema}.vector`, oid: found.oid }
}

interface Extension {
  readonly schema: string
  readonly oid: number
  /** The column is there. */
  readonly prepared: boolean
}

async function findExtension(database: Database): Promise<Extension | undefined> {
  const known = await installed(database)
  if (known !== undefined) return known
  const [offered] = await database.read<{ fits: boolean }>({
    text: `select string_to_array(default_version, '.')::int[] >= array[0, 8] as fits from pg_available_extensions where name = 'vector'`,
    once: true,
  })
  if (offered?.fits !== true) return undefined
  // Creating an extension needs rights that most users do not have. Then the store works without it.
  await database.write({ text: 'create extension if not exists vector', once: true }).catch(() => undefined)
  return installed(database)
}

async function installed(database: Database): Promise<Extension | undefined> {
  const [row] = await database.read<Extension & { readonly fits: boolean }>({
    text: `select quote_ident(n.nspname) as schema, t.oid::integer as oid, string_to_array(e.extversion, '.')::int[] >= array[0, 8] as fits,
        exists (
          select from pg_attribute where attrelid = to_regclass($1) and attname = 'vec' and not attisdropped
        ) as prepared
      from pg_extension e join pg_namespace n on n.oid = e.extnamespace
        join pg_type t on t.typnamespace = n.oid and t.typname = 'vector' where e.extname = 'vector'`,
    values: [`${database.schema}.vectors`],
    once: true,
  })
  return row?.fits === true ? row : undefined
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
    // The vector is stored in the row, because otherwise every comparison would cost a second read.
    await run({ text: `alter table ${schema}.vectors alter column vec set storage plain`, once: true })
  })
}
