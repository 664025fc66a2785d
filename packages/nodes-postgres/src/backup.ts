/**
 * A copy of all data that cannot be derived, as lines of JSON: a header, the versions in sequence order, and a last line that marks it
 * as complete. It is read in pages from one snapshot. `restorePostgresBackup` loads it into any server.
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
        await writeNodes(out, run, database.schema)
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

/** Pages through the log by its sequence. */
async function writeNodes(out: WriteStream, run: Run, schema: string): Promise<void> {
  for (let after: unknown = 0; after !== undefined;) {
    const page = await run({
      text: `select seq, partition, id, version, concept, owner, created_by, created_at, mutation, status, old_status, payload, redacted
        from ${schema}.nodes where seq > $1 order by seq limit ${pageSize}`,
      values: [after],
    })
    for (const node of page) await write(out, { node })
    after = page.length < pageSize ? undefined : page.at(-1)?.['seq']
  }
}

async function write(out: WriteStream, line: object): Promise<void> {
  if (!out.write(`${JSON.stringify(line)}\n`)) await once(out, 'drain')
}
