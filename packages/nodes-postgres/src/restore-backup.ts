/** Fills an empty schema from a backup, in one transaction, and rebuilds derived data. Vectors must be computed again. */
import { InvalidQueryError } from '@agentm/nodes/store-kit'
import { createReadStream, existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { BackupHeader } from './backup.ts'
import type { Run } from './database.ts'
import { openContext } from './open-context.ts'
import type { PostgresStoreOptions } from './postgres-store-options.ts'
import { rebuildStore } from './rebuild-store.ts'

type Row = Readonly<Record<string, unknown>>
/** Backups of earlier versions have lines for notes, too. Notes are indexed again from their files. */
type Line = { readonly node: Row } | { readonly note: Row } | { readonly end: true }

const pageSize = 1000

/**
 * Fills an empty schema from a backup file, in one transaction. `concepts` are those that the log was written with; for a log of the
 * `agentm` command, use `agentm log restore`, which knows them.
 *
 * @example
 * ```ts
 * import { restorePostgresBackup } from '@agentm/nodes-postgres'
 *
 * await restorePostgresBackup('./agentm.backup', { url: 'postgres://agentm@localhost:5432/agentm', concepts: [] })
 * ```
 */
export async function restorePostgresBackup(from: string, options: PostgresStoreOptions): Promise<void> {
  if (!existsSync(from))
    throw new InvalidQueryError(`there is no backup at ${from}. Name a file that agentm log backup wrote.`)
  const opened = await openContext(options)
  const { context } = opened
  const { schema } = context.database
  try {
    await context.database.transaction(
      async (run) => {
        await run({ text: `lock table ${schema}.nodes in exclusive mode`, once: true })
        const [filled] = await run({ text: `select from ${schema}.nodes limit 1`, once: true })
        if (filled !== undefined)
          throw new InvalidQueryError(
            `schema ${schema} already contains nodes, so nothing was changed. Restore the backup into an empty database.`,
          )
        await fill(run, schema, from)
        await run({
          text: `select setval('${schema}.node_seq', greatest(1, (select coalesce(max(seq), 0) from ${schema}.nodes)))`,
          once: true,
        })
      },
      { unlimited: true },
    )
    await rebuildStore(context)
  } finally {
    await opened.close()
  }
}

async function fill(run: Run, schema: string, from: string): Promise<void> {
  let header: BackupHeader | undefined
  let whole = false
  const page: Line[] = []
  for await (const text of createInterface({ input: createReadStream(from), crlfDelay: Infinity })) {
    if (header === undefined) {
      header = headerIn(text)
      if (header === undefined)
        throw new InvalidQueryError(
          `${from} is not a backup of a PostgreSQL log. Name a file that agentm log backup wrote while nodes.url named a PostgreSQL server.`,
        )
      continue
    }
    const line: Line = JSON.parse(text)
    whole ||= 'end' in line
    page.push(line)
    if (page.length === pageSize) await insert(run, schema, page.splice(0))
  }
  if (!whole)
    throw new InvalidQueryError(
      `${from} is incomplete: its last line is absent. Nothing was restored. Use another backup.`,
    )
  await insert(run, schema, page)
}

/** Of another file, such as a backup in SQLite, `undefined`. */
function headerIn(line: string): BackupHeader | undefined {
  try {
    const header: BackupHeader | null = JSON.parse(line)
    return header?.agentm === 'nodes-postgres' ? header : undefined
  } catch {
    return undefined
  }
}

async function insert(run: Run, schema: string, lines: readonly Line[]): Promise<void> {
  const nodes = lines.flatMap((line) => ('node' in line ? [line.node] : []))
  await run({
    // Payloads are stored as text inside the JSON, so that they are restored byte for byte.
    text: `insert into ${schema}.nodes (partition, id, version, seq, concept, owner, created_by, created_at, mutation,
        status, old_status, payload, redacted)
      select u.partition, u.id, u.version, u.seq, u.concept, u.owner, u.created_by, u.created_at, u.mutation, u.status,
        u.old_status, (r.line ->> 'payload')::json, u.redacted
      from json_array_elements($1::json) r (line)
      cross join lateral json_populate_record(null::${schema}.nodes, r.line) u`,
    values: [JSON.stringify(nodes)],
  })
}
