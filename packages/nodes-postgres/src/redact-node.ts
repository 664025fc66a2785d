/**
 * Erases the content of a node from every version, the indexes and the recall data, and appends a version that records this. The old rows
 * are vacuumed at once. The server's write-ahead log, replicas and backups are not changed.
 */
import { type Concept, type Node, parseId } from '@agentm/nodes'
import { checkOwner, isHeld, redactedPayload, redactionOf } from '@agentm/nodes/store-kit'
import type { Run } from './database.ts'
import { headsFrom, knownOf, type KnownRow, nodeColumns, nodeOf, type NodeRow } from './rows.ts'
import { dropSegments } from './segment-packer.ts'
import type { StoreContext } from './store-context.ts'

export async function redactNode(
  context: StoreContext,
  id: string,
  { owner, actor }: { readonly owner: string; readonly actor: string },
): Promise<Node | undefined> {
  checkOwner(owner)
  const concept = context.concepts.get(parseId(id).concept)
  const { database } = context
  const { schema } = database
  const done = await database.despiteOthers(async () =>
    database.transaction(async (run) => {
      await run({ text: `select from ${schema}.heads where id = $1 for update`, values: [id] })
      const [row] = await run<KnownRow>({
        text: `select ${nodeColumns}, h.first_created_at from ${headsFrom(schema)} where h.id = $1 and h.owner = $2`,
        values: [id, owner],
      })
      if (row === undefined || row.redacted) return row === undefined ? undefined : { node: nodeOf(row), fresh: false }
      await eraseVersions(run, context, concept, row)
      return { node: await appendRedaction(run, context, concept, { row, actor }), fresh: true }
    }),
  )
  if (done?.fresh === true) {
    context.changes.appended()
    await vacuum(context)
  }
  return done?.node
}

async function eraseVersions(
  run: Run,
  { database: { schema } }: StoreContext,
  concept: Concept,
  { id, partition }: NodeRow,
) {
  const versions = await run<NodeRow>({
    text: `select ${nodeColumns} from ${schema}.nodes n where n.partition = $1 and n.id = $2 order by n.version`,
    values: [partition, id],
  })
  const erased = versions.map((row) => ({
    version: row.version,
    payload: JSON.stringify(redactedPayload(concept, nodeOf(row).payload)),
  }))
  await run({
    text: `update ${schema}.nodes n set payload = u.payload::json, redacted = true
      from jsonb_to_recordset($3) as u (version integer, payload text)
      where n.partition = $1 and n.id = $2 and n.version = u.version`,
    values: [partition, id, JSON.stringify(erased)],
  })
  await run({ text: `delete from ${schema}.items where id = $1`, values: [id] })
  await dropSegments(run, schema)
}

async function appendRedaction(
  run: Run,
  { database: { schema }, clock, concepts }: StoreContext,
  concept: Concept,
  { row, actor }: { readonly row: KnownRow; readonly actor: string },
): Promise<Node> {
  const { json, oldStatus, ...version } = redactionOf(concept, knownOf(row), { actor, at: clock.now() })
  await run({ text: 'select pg_current_xact_id()' })
  const [added] = await run<{ seq: number }>({
    text: `insert into ${schema}.nodes
        (partition, id, version, concept, owner, created_by, created_at, mutation, status, old_status, payload, redacted)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11::text::json, true) returning seq`,
    values: [
      version.partition,
      version.id,
      version.version,
      version.concept,
      version.owner,
      version.createdBy,
      version.createdAt,
      version.provenanceMutation,
      version.status,
      oldStatus,
      json,
    ],
  })
  const seq = added?.seq ?? 0
  await run({
    text: `update ${schema}.heads set version = $2, seq = $3, created_at = $4, ready = false, running = false,
      session = null, wake_at = null, rank = null, gate = null where id = $1`,
    values: [version.id, version.version, seq, version.createdAt],
  })
  // Whether children are held depends on the parent's payload, which has just changed.
  for (const child of concepts)
    if (child.claimable?.heldBy !== undefined)
      await run({
        text: `update ${schema}.heads set held = $3 where parent = $1 and concept = $2 and held <> $3`,
        values: [version.id, child.name, isHeld(child, version.payload)],
      })
  return { ...version, seq }
}

/** One statement each, because VACUUM cannot run in a transaction. */
async function vacuum({ database }: StoreContext): Promise<void> {
  const client = await database.connect('agentm vacuum')
  try {
    for (const table of ['nodes', 'heads', 'items', 'vectors', 'segments'])
      await client.query(`vacuum ${database.schema}.${table}`)
  } finally {
    await database.disconnect(client)
  }
}
