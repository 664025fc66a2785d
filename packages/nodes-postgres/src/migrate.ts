/**
 * Migrates a schema to the version of this program. One process does it while the others wait. A schema that is newer than the program is
 * not changed.
 */
import { StoreNewerError } from '@agentm/nodes/store-kit'
import type { Database } from './database.ts'
import { migrations } from './migrations.ts'
import { PostgresStoreError, SchemaBehindError } from './postgres-store-error.ts'
import { bookkeeping, recorded } from './print-migrations.ts'

export async function migrate(database: Database, { mayChange }: { readonly mayChange: boolean }): Promise<void> {
  const found = await versionOf(database)
  if (found === migrations.length) return
  checkKnown(database, found)
  if (!mayChange) throw behind(database, found)
  const { schema } = database
  await database.transaction(
    async (run) => {
      // The lock lasts until the commit, so it also works behind a transaction pooler.
      await run({
        text: `select pg_advisory_xact_lock(hashtextextended('agentm ' || $1, 0))`,
        values: [schema],
        once: true,
      })
      await run({ text: bookkeeping(schema), once: true })
      const [row] = await run<{ version: number }>({
        text: `select coalesce(max(version), 0) as version from ${schema}.migrations`,
        once: true,
      })
      const from = row?.version ?? 0
      checkKnown(database, from)
      for (const [i, { name, sql }] of migrations.entries())
        if (i + 1 > from) await run({ text: `${sql(schema)}\n${recorded(schema, i + 1, name)}`, once: true })
    },
    { unlimited: true },
  )
}

/** The schema version. The same query checks that the server is new enough. */
async function versionOf(database: Database): Promise<number> {
  const { schema } = database
  const [server] = await database.read<{ number: number; name: string; there: boolean }>({
    once: true,
    text: `select current_setting('server_version_num')::integer as number, current_setting('server_version') as name,
      to_regclass($1) is not null as there`,
    values: [`${schema}.migrations`],
  })
  if (server !== undefined && server.number < oldestServer) throw tooOld(database, server.name)
  if (server?.there !== true) return 0
  const [row] = await database.read<{ version: number }>({
    once: true,
    text: `select coalesce(max(version), 0) as version from ${schema}.migrations`,
  })
  return row?.version ?? 0
}

const oldestServer = 150_000

function tooOld({ settings: { target } }: Database, version: string): PostgresStoreError {
  return new PostgresStoreError(
    'SERVER_TOO_OLD',
    target.server,
    `the server at ${target.server} is PostgreSQL ${version}; version 15 or newer is needed. Upgrade it, or name another one.`,
  )
}

function checkKnown({ schema, settings }: Database, found: number): void {
  if (found > migrations.length)
    throw new StoreNewerError(`schema ${schema} at ${settings.target.server}`, found, migrations.length)
}

function behind({ schema, settings: { target } }: Database, found: number): SchemaBehindError {
  return new SchemaBehindError(target.server, { schema, found, known: migrations.length })
}
