/** Removes nodes with all their versions: their rows in the log, their heads, edges and recall rows. */
import { type OwnerOption, parseId, type PrunedNode, type PruneReport } from '@agentm/nodes'
import { checkOwner, decidePrune, type PruneCandidate } from '@agentm/nodes/store-kit'
import type { Connection } from './connection.ts'
import { dropRecallRow } from './recall-rows.ts'
import type { StoreContext } from './store-context.ts'

interface Candidate extends PruneCandidate {
  readonly key: number
  readonly recall: number | undefined
}

export async function pruneNodes(
  { queue, writer }: StoreContext,
  nodes: readonly PrunedNode[],
  { owner }: OwnerOption,
): Promise<PruneReport> {
  checkOwner(owner)
  const given = new Map(nodes.map(({ id, version }) => [id, version]))
  for (const id of given.keys()) parseId(id)
  return queue.run(() => prune(writer, given, owner), { durability: 'normal' })
}

function prune(writer: Connection, given: ReadonlyMap<string, number>, owner: string): PruneReport {
  const candidates = new Map<string, Candidate>()
  for (const [id, version] of given) {
    const row = writer.get('select key, version, seq, recall from heads where id = ? and owner = ?', id, owner)
    if (row === undefined) continue
    const [now, recall] = [{ version: Number(row['version']), seq: Number(row['seq']) }, row['recall']]
    const citedBy = citing(writer, id, given.size + 1)
    candidates.set(id, {
      id,
      version,
      now,
      citedBy,
      key: Number(row['key']),
      recall: recall === null ? undefined : Number(recall),
    })
  }
  const newest = writer.number('select max(seq) from nodes')
  const { remove, stay } = decidePrune([...candidates.values()], newest)
  for (const id of remove) {
    const found = candidates.get(id)
    if (found !== undefined) removeNode(writer, found)
  }
  const versions = remove.reduce((sum, id) => sum + (candidates.get(id)?.now.version ?? 0), 0)
  return { nodes: remove.length, versions, stayed: stay }
}

/** The nodes that refer to a node, at most `limit` of each way. */
function citing(writer: Connection, id: string, limit: number): readonly string[] {
  const rows = writer.all(
    `select * from (select id from heads indexed by heads_parent where parent = ?1 limit ?2)
      union all select * from (select source from edges where target = ?1 limit ?2)`,
    id,
    limit,
  )
  return rows.map((row) => String(row['id']))
}

function removeNode(writer: Connection, { id, key, recall }: Candidate): void {
  writer.run('delete from nodes where head = ?', key)
  writer.run('delete from heads where key = ?', key)
  writer.run('delete from edges where source = ?', id)
  if (recall !== undefined) dropRecallRow(writer, recall)
}
