/** Checks the file for damage, and heads against their log. Only reads. */
import { type CheckReport, type Concept, isNodesError, type Node } from '@agentm/nodes'
import { foldFacts, isDone, isHeld, targetsIn } from '@agentm/nodes/store-kit'
import type { Connection } from './connection.ts'
import type { Row } from './database.ts'
import { findDamage } from './find-damage.ts'
import { indexedEdges, newest } from './rebuild-store.ts'
import { nodeOf, objectIn } from './rows.ts'
import type { StoreContext } from './store-context.ts'

export function checkStore(context: StoreContext): CheckReport {
  const { reader } = context
  const damage = damageIn(reader)
  // If the file is damaged, its readable part does not show whether the rest is correct.
  if (damage.length > 0) return { ok: false, problems: damage, versions: 0, heads: 0 }
  return reader.snapshot(() => {
    const problems = [gaps, unreadable, wrongHeads].flatMap((find) => find(context))
    const [versions = 0, heads = 0] = ['nodes', 'heads'].map((table) => reader.number(`select count(*) from ${table}`))
    return { ok: problems.length === 0, problems, versions, heads }
  })
}

/**
 * SQLite's check of a full-text index uses what this connection remembers of it, which is outdated after another one wrote. A search reads it
 * again. Another process may write between the two, so what is found is looked for once more.
 */
function damageIn(reader: Connection): readonly string[] {
  const look = () => {
    readWords(reader)
    return findDamage((sql) => reader.all(sql), 'main')
  }
  const found = look()
  return found.length === 0 ? found : look()
}

/** If even that fails, the check says what is damaged. */
function readWords(reader: Connection): void {
  try {
    reader.all("select rowid from words where words match 'a' limit 1")
  } catch (error) {
    if (!isNodesError(error, 'CORRUPT_STORE')) throw error
  }
}

function gaps({ reader }: StoreContext): readonly string[] {
  const rows = reader.all(
    `select id from nodes group by id having count(*) <> max(version) or min(version) <> 1 or min(head) <> max(head)
      or min(head) <> min(seq)`,
  )
  return rows.map(({ id }) => `the versions of ${String(id)} have gaps`)
}

function unreadable({ reader }: StoreContext): readonly string[] {
  const rows = reader.all(
    "select id, version from nodes where not json_valid(payload) or json_type(payload) <> 'object'",
  )
  return rows.map(({ id, version }) => `version ${Number(version)} of ${String(id)} cannot be read`)
}

function wrongHeads(context: StoreContext): readonly string[] {
  const { reader } = context
  const problems: string[] = []
  const count = reader.number('select count(*) from heads')
  const ids = reader.number('select count(distinct id) from nodes')
  if (count !== ids) problems.push(`there are ${count} heads of ${ids} ids; rebuild them`)
  for (const row of reader.all(newest)) {
    const why = whyWrong(context, row)
    if (why !== undefined) problems.push(why)
  }
  return problems
}

function whyWrong(context: StoreContext, row: Row): string | undefined {
  const head = context.reader.get('select * from heads where id = ?', String(row['id']))
  try {
    const wanted = factsFromLog(context, nodeOf(row), Number(row['first_created_at']))
    const wrong = Object.entries(wanted).filter(([column, value]) => head?.[column] !== value)
    return wrong.length === 0
      ? undefined
      : `the head of ${String(row['id'])} is not the fold of its versions (${wrong.map(([column]) => column).join(', ')}); rebuild it`
  } catch (error) {
    // Already reported as unreadable.
    if (isNodesError(error, 'CORRUPT_NODE')) return undefined
    throw error
  }
}

function factsFromLog({ reader, concepts }: StoreContext, node: Node, firstCreatedAt: number) {
  const concept = concepts.get(node.concept)
  const { parent, ready, running, session, wakeAt, rank, gate, recall } = foldFacts(concept, {
    ...node,
    firstCreatedAt,
  })
  const statusOf = (id: string) => reader.get('select status from heads where id = ?', id)?.['status']
  const open = (concept.dependsOn === undefined ? [] : targetsIn(node.payload, concept.dependsOn.field)).filter(
    (id) => {
      const status = statusOf(id)
      return !isDone(concept, typeof status === 'string' ? status : undefined)
    },
  )
  const above =
    parent === undefined
      ? undefined
      : reader.get('select n.payload from heads h join nodes n on n.seq = h.seq where h.id = ?', parent)
  const held = parent !== undefined && isHeld(concept, above === undefined ? undefined : objectIn(above['payload']))
  const edges = indexedEdges(concept, node).reduce((sum, { targets }) => sum + targets.length, 0)
  const kept = reader.number('select count(*) from edges where source = ?', node.id)
  const found = foundBy(reader, concept, node.id)
  return {
    seq: node.seq,
    version: node.version,
    status: node.status ?? null,
    parent: parent ?? null,
    ready: ready ? 1 : 0,
    running: running ? 1 : 0,
    session: session ?? null,
    wake_at: wakeAt ?? null,
    rank: rank ?? null,
    gate: gate ?? null,
    remaining: open.length,
    held: held ? 1 : 0,
    // Data stored beside the head is compared with it. A difference is reported under its own name, which no head column has.
    ...(edges === kept ? {} : { edges }),
    ...(found?.text === recall?.text && found?.active === recall?.active ? {} : { recall: 'another' }),
  }
}

/** The text by which recall finds a node: that of the version from which its row was written. */
function foundBy(reader: Connection, { recallable }: Concept, id: string) {
  const row = reader.get(
    `select r.active, n.payload from heads h join recall r on r.key = h.recall and r.id = h.id
      join nodes n on n.seq = r.seq and n.id = h.id and json_valid(n.payload) where h.id = ?`,
    id,
  )
  return row === undefined
    ? undefined
    : { text: recallable?.text(objectIn(row['payload'])), active: row['active'] === 1 }
}
