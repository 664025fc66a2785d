/**
 * A copy of everything that cannot be derived, as lines of JSON: first what the file is, then versions in sequence order,
 * then notes and weights, and a last line that says it is whole. One snapshot, read in pages; it goes into any server, by `restorePostgresBackup`.
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
        await writeVersions(out, run, database.schema)
        await writeNotes(out, run, database.schema)
        for (const share of await run({
          text: `select partition, weight from ${database.schema}.shares where weight <> 1`,
        }))
          await write(out, { share })
      },
      { mode: 'repeatable read read only' },
    )
    await write(out, { end: true })
    out.end()
    await once(out, 'close')
  } catch (error) {
    out.destroy()
    // What was there before is not ours to remove.
    if (begun) await rm(to, { force: true })
    throw error
  }
}

async function writeVersions(out: WriteStream, run: Run, schema: string): Promise<void> {
  for (let after: number | undefined = 0; after !== undefined;) {
    const page: readonly { seq: number }[] = await run({
      text: `select partition, id, version, seq, concept, owner, created_by, created_at, mutation, status, old_status,
        payload, redacted from ${schema}.nodes where seq > $1 order by seq limit ${pageSize}`,
      values: [after],
    })
    for (const node of page) await write(out, { node })
    after = page.length < pageSize ? undefined : page.at(-1)?.seq
  }
}

async function writeNotes(out: WriteStream, run: Run, schema: string): Promise<void> {
  for (let after: number | undefined = 0; after !== undefined;) {
    const page: readonly { key: number }[] = await run({
      text: `select key, id, owner, partition, concept, source, status, active, created_at, ages_from, text, data
        from ${schema}.items where version is null and key > $1 order by key limit ${pageSize}`,
      values: [after],
    })
    for (const { key: _key, ...note } of page) await write(out, { note })
    after = page.length < pageSize ? undefined : page.at(-1)?.key
  }
}

async function write(out: WriteStream, line: object): Promise<void> {
  if (!out.write(`${JSON.stringify(line)}\n`)) await once(out, 'drain')
}
