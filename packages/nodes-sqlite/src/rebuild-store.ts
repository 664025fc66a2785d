/** Rebuilds all derived data from the log. A vector stays if its node's text did not change. */
import type { Concept, Node } from '@agentm/nodes'
import {
  foldFacts,
  isDone,
  isHeld,
  type NewHead,
  type NewVersion,
  relationsOf,
  targetsIn,
} from '@agentm/nodes/store-kit'
import type { Connection } from './connection.ts'
import type { Row } from './database.ts'
import { writeHead } from './perform-append.ts'
import { storeVector, writeRecallRow } from './recall-rows.ts'
import { nodeColumns, nodeOf, objectIn } from './rows.ts'
import type { StoreContext } from './store-context.ts'
import { floatsOf } from './vector-cache.ts'

/** Progress is reported once for this many nodes. */
const toldEach = 1_000

export function rebuildStore(
  { writer, concepts }: Pick<StoreContext, 'writer' | 'concepts'>,
  onProgress?: (done: number, total: number) => void,
): void {
  const total = onProgress === undefined ? 0 : writer.number('select count(distinct head) from nodes')
  let done = 0
  writer.exec('create temp table kept as select id, seq, embedder, unit from recall where unit is not null')
  const mark = writer.changes.next()
  for (const table of ['heads', 'edges', 'recall', 'stirred', 'segments']) writer.exec(`delete from ${table}`)
  // Numbers continue, because an earlier key must not be used for another text.
  writer.run('insert into stirred (change, key) values (?, 0)', mark)
  renewWords(writer)
  writer.run("update counters set value = value + 1 where name = 'epoch'")
  for (const row of writer.all(newest)) {
    const node = nodeOf(row)
    const first = { key: Number(row['key']), createdAt: Number(row['first_created_at']) }
    rebuildNode(writer, concepts.get(node.concept), node, first)
    done += 1
    if (done % toldEach === 0) onProgress?.(done, total)
  }
  onProgress?.(done, total)
  for (const concept of concepts) recount(writer, concept)
  for (const concept of concepts) rehold(writer, concept)
  writer.exec('drop table temp.kept')
}

/** Makes the full-text index anew. Emptied in place, it would look damaged to connections that have read deleted rows of it. */
function renewWords(writer: Connection): void {
  const made = writer.get("select sql from sqlite_master where name = 'words'")
  writer.exec(`drop table words; ${String(made?.['sql'])}`)
}

/** The newest version of each id, with the number and time of its first version. */
export const newest = `select ${nodeColumns}, f.seq as key, f.created_at as first_created_at
  from (select head, max(version) as version from nodes group by head) l
    join nodes n on n.head = l.head and n.version = l.version
    join nodes f on f.seq = l.head
  order by n.seq`

function rebuildNode(
  writer: Connection,
  concept: Concept,
  node: Node,
  { key, createdAt: firstCreatedAt }: { readonly key: number; readonly createdAt: number },
): void {
  const facts = foldFacts(concept, { ...node, firstCreatedAt })
  const version: NewVersion = { ...node, json: '', oldStatus: undefined }
  const head: NewHead = {
    version,
    isNew: true,
    firstCreatedAt,
    facts,
    remaining: 0,
    held: false,
    edges: indexedEdges(concept, node),
    sameText: false,
    foundAlike: false,
    vector: undefined,
  }
  const { id, seq } = node
  const recall = writeRecallRow(writer, { node, seq, facts: facts.recall }, nothingKnown)
  writeHead(writer, head, { key, seq, recall })
  if (facts.recall !== undefined && recall !== undefined)
    restoreVector(writer, concept, { id, key: recall, text: facts.recall.text })
}

export function indexedEdges(concept: Concept, { payload }: Node) {
  return relationsOf(concept)
    .filter(({ indexed }) => indexed === true)
    .map(({ field }) => ({ field, targets: targetsIn(payload, field) }))
    .filter(({ targets }) => targets.length > 0)
}

function recount(writer: Connection, concept: Concept): void {
  if (concept.dependsOn === undefined) return
  const done = JSON.stringify(concept.dependsOn.done.filter((status) => isDone(concept, status)))
  writer.run(
    `update heads set remaining = (
      select count(*) from edges e left join heads t on t.id = e.target
        where e.source = heads.id and e.field = ?
          and (t.status is null or t.status not in (select value from json_each(?))))
      where concept = ?`,
    concept.dependsOn.field,
    done,
    concept.name,
  )
}

function rehold(writer: Connection, concept: Concept): void {
  if (concept.claimable?.heldBy === undefined) return
  const parents = writer.all(
    `select distinct h.parent, n.payload from heads h left join heads p on p.id = h.parent left join nodes n on n.seq = p.seq
      where h.concept = ? and h.parent is not null`,
    concept.name,
  )
  for (const { parent, payload } of parents) {
    const held = isHeld(concept, payload === null ? undefined : objectIn(payload))
    writer.run('update heads set held = ? where parent = ? and concept = ?', held ? 1 : 0, String(parent), concept.name)
  }
}

const nothingKnown = { known: undefined, sameText: false, vector: undefined }

function restoreVector(
  writer: Connection,
  concept: Concept,
  { id, key, text }: { readonly id: string; readonly key: number; readonly text: string },
): void {
  const kept = writer.get('select seq, embedder, unit from temp.kept where id = ?', id)
  if (kept !== undefined && textAt(writer, concept, kept) === text)
    storeVector(writer, key, { values: floatsOf(kept['unit']), number: Number(kept['embedder']) })
}

/** The text of an earlier row. A later version may have left the text unchanged. */
function textAt(writer: Connection, { recallable }: Concept, { seq }: Row): string | undefined {
  const version = writer.get('select payload from nodes where seq = ?', Number(seq))
  return version === undefined ? undefined : recallable?.text(objectIn(version['payload']))
}
