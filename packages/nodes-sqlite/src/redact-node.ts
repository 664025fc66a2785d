/**
 * Erases a node so that nothing of it remains in the files: its versions are emptied, its words and vectors are deleted, the whole file is
 * rewritten without free pages, and the write-ahead log is truncated.
 */
import { type Concept, isNodesError, type Node, parseId } from '@agentm/nodes'
import { foldFacts, redactedPayload, redactionOf, relationsOf, targetsIn, checkOwner } from '@agentm/nodes/store-kit'
import { insertVersion } from './perform-append.ts'
import { dropRecallRow } from './recall-rows.ts'
import { nodeOf, oneWholeHead, storedHeadOf } from './rows.ts'
import type { StoreContext } from './store-context.ts'

export async function redactNode(
  context: StoreContext,
  id: string,
  { owner, actor, more = false }: { readonly owner: string; readonly actor: string; readonly more?: boolean },
): Promise<Node | undefined> {
  checkOwner(owner)
  parseId(id)
  const outcome = await context.queue.run(() => emptyVersions(context, id, owner, actor), { durability: 'full' })
  if (outcome?.isNew === true && !more) await eraseFreed(context)
  return outcome?.node
}

/** Rewrites the file without anything that was deleted, and empties the write-ahead log. */
async function eraseFreed({ queue, writer }: StoreContext): Promise<void> {
  await queue.run(() => writer.run("insert into words (words) values ('optimize')"), { durability: 'full' })
  await queue.alone(() => writer.exec('vacuum'))
  await queue.alone(() => {
    const busy = writer.get('pragma wal_checkpoint(truncate)')?.['busy']
    // A reader still needs the old write-ahead log, so the attempt is repeated as for any other lock.
    if (busy !== 0) throw Object.assign(new Error('the write-ahead log is still being read'), { errcode: 5 })
  })
}

function emptyVersions(context: StoreContext, id: string, owner: string, actor: string) {
  const { writer, concepts, runtime } = context
  const row = writer.get(`${oneWholeHead} and h.owner = ?`, id, owner)
  if (row === undefined) return undefined
  if (row['redacted'] === 1) return { node: nodeOf(row), isNew: false }
  const head = storedHeadOf(row)
  const concept = concepts.get(head.concept)
  emptyPayloads(context, concept, head.key)
  if (head.recall !== undefined) dropRecallRow(writer, head.recall)
  const node = insertVersion(writer, redactionOf(concept, head, { actor, at: runtime.now() }), head.key)
  writeRedactedHead(context, concept, node, head.firstCreatedAt)
  // Any segment may contain a copy of its vector. Segments are packed again when needed.
  writer.run('delete from segments')
  return { node, isNew: true }
}

function emptyPayloads({ writer }: StoreContext, concept: Concept, head: number): void {
  for (const version of writer.all('select seq, version, payload from nodes where head = ?', head))
    writer.run(
      'update nodes set payload = ?, redacted = 1 where seq = ?',
      JSON.stringify(keptOf(concept, String(version['payload']))),
      Number(version['seq']),
    )
}

/** A payload that cannot be read can be erased too. */
function keptOf(concept: Concept, json: string) {
  try {
    return redactedPayload(concept, JSON.parse(json))
  } catch (error) {
    if (isNodesError(error)) throw error
    return {}
  }
}

function writeRedactedHead({ writer }: StoreContext, concept: Concept, node: Node, firstCreatedAt: number): void {
  const { ready, running, session, wakeAt } = foldFacts(concept, { ...node, firstCreatedAt })
  writer.run(
    `update heads set seq = ?, version = ?, redacted = 1, ready = ?, running = ?, session = ?, wake_at = ?, rank = null,
      gate = null, recall = null where id = ?`,
    node.seq,
    node.version,
    ready ? 1 : 0,
    running ? 1 : 0,
    session ?? null,
    wakeAt ?? null,
    node.id,
  )
  writer.run('delete from edges where source = ?', node.id)
  for (const { field, indexed } of relationsOf(concept))
    if (indexed === true)
      for (const target of targetsIn(node.payload, field))
        writer.run('insert into edges (target, field, source) values (?, ?, ?)', target, field, node.id)
}
