/**
 * A copy of all data that cannot be derived, as lines of JSON: a header, the versions in sequence order, notes and weights, and a last line
 * that marks it as complete. It is read in pages from one snapshot. `restorePostgresBackup` loads it into any server.
 */
import { createWriteStream, type WriteStream } from 'node:fs'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { migrations } from './migrations.ts'
import type { Database, Run } from './database.ts'

const pageSize = 1000

export interface BackupHeader {
  readonly agentm: 'nodes-postgres'
  readonly schema: number
}

export async function writeBackup(database: Database, to: string): Promise<void> {
  const out = createWriteStream(to, { flags: 'wx', flush: true, mode: 0o600 })
  let begun = false
  try {
    await once(out, 'open')
    begun = true
    await database.transaction(
      async (run) => {
        await write(out, { agentm: 'nodes-postgres', schema: migrations.length } satisfies BackupHeader)
        for (const pages of everything(database.schema)) await writePages(out, run, pages)
      },
      { mode: 'repeatable read read only' },
    )
    await write(out, { end: true })
    out.end()
    await once(out, 'close')
  } catch (error) {
    out.destroy()
    // A file that existed before is not removed.
    if (begun) await rm(to, { force: true })
    throw error
  }
}

function everything(schema: string) {
  const version = `seq, partition, id, version, concept, owner, created_by, created_at, mutation, status, old_status, payload, redacted`
  const note = 'key, id, owner, partition, concept, source, status, active, created_at, ages_from, text, data'
  return [
    { name: 'node', by: 'seq', first: 0, from: `select ${version} from ${schema}.nodes where true` },
    { name: 'note', by: 'key', first: 0, from: `select ${note} from ${schema}.items where version is null` },
  ]
}

/** Pages through a table by a unique column. */
async function writePages(
  out: WriteStream,
  run: Run,
  { name, by, first, from }: ReturnType<typeof everything>[number],
): Promise<void> {
  for (let after: unknown = first; after !== undefined;) {
    const page = await run({ text: `${from} and ${by} > $1 order by ${by} limit ${pageSize}`, values: [after] })
    for (const row of page) await write(out, { [name]: row })
    after = page.length < pageSize ? undefined : page.at(-1)?.[by]
  }
}

async function write(out: WriteStream, line: object): Promise<void> {
  if (!out.write(`${JSON.stringify(line)}\n`)) await once(out, 'drain')
}
