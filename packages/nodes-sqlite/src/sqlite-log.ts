/** `NodeLog` on one file. */
import {
  type FeedEvent,
  type FeedOptions,
  type Head,
  type Node,
  type NodeLog,
  type Page,
  parseId,
  type ScanQuery,
} from '@agentm/nodes'
import { checkOwner, feedEvent, prepareAppend } from '@agentm/nodes/store-kit'
import { rmSync, statSync } from 'node:fs'
import { checkStore } from './check-store.ts'
import { explained } from './connection.ts'
import type { Row } from './database.ts'
import { makePrivateFile } from './make-private-file.ts'
import { among } from './pure/among.ts'
import { performAppend } from './perform-append.ts'
import { pruneNodes } from './prune-nodes.ts'
import { limited } from './pure/limited.ts'
import { scanStatement } from './pure/scan-statement.ts'
import { rebuildStore } from './rebuild-store.ts'
import { reclaimSpace } from './reclaim-space.ts'
import { redactNode } from './redact-node.ts'
import { headColumns, headOf, nodeColumns, nodeOf, oneHead, optionalText } from './rows.ts'
import { checkOpen, type StoreContext } from './store-context.ts'

export function sqliteLog(context: StoreContext, afterAppend: () => void): NodeLog {
  const { reader, writer, queue, runtime, concepts } = context
  async function scan(query: ScanQuery & { readonly versions: 'all' }): Promise<Page<Node>>
  async function scan(query: ScanQuery): Promise<Page<Head>>
  async function scan(query: ScanQuery): Promise<Page<Node>> {
    return scanPage(context, query)
  }
  return {
    async append(drafts, options) {
      checkOpen(context)
      const named = drafts.map((draft) => ({ ...draft, id: draft.id ?? runtime.newId() }))
      const append = prepareAppend(concepts, named, options)
      const { durability = context.durability } = options
      const nodes = await queue.run(() => performAppend(context, append), { durability })
      afterAppend()
      return nodes
    },
    async latest(id, { owner }) {
      checkOpen(context)
      checkOwner(owner)
      parseId(id)
      const row = reader.get(`${oneHead} and h.owner = ?`, id, owner)
      return row === undefined ? undefined : headOf(row)
    },
    async history(id, { owner, after = 0, limit }) {
      checkOpen(context)
      checkOwner(owner)
      parseId(id)
      const rows = reader.all(
        `select ${nodeColumns} from heads h join nodes n on n.head = h.key where h.id = ? and n.owner = ? and n.version > ?
          order by n.version ${limited}`,
        id,
        owner,
        after,
        limit ?? -1,
      )
      return rows.map(nodeOf)
    },
    scan,
    feed: (options) => follow(context, options),
    async position() {
      checkOpen(context)
      return reader.number('select max(seq) from nodes')
    },
    async owners({ after = 0 } = {}) {
      checkOpen(context)
      const rows = reader.all('select distinct owner from nodes where seq > ? order by owner', after)
      return rows.map(({ owner }) => String(owner))
    },
    async redact(id, options) {
      checkOpen(context)
      return redactNode(context, id, options)
    },
    async prune(nodes, options) {
      checkOpen(context)
      return pruneNodes(context, nodes, options)
    },
    async reclaim(options) {
      checkOpen(context)
      await reclaimSpace(context, options)
    },
    async backup(to) {
      checkOpen(context)
      // Writes a compacted copy of one state of the store to a new file. Fails if the file exists.
      await queue.alone(() => {
        const isMade = makePrivateFile(to)
        try {
          writer.database.prepare('vacuum into ?').run(to)
        } catch (error) {
          if (isMade) rmSync(to, { force: true })
          throw explained(error, to)
        }
      })
    },
    async check() {
      checkOpen(context)
      return checkStore(context)
    },
    async rebuild({ onProgress } = {}) {
      checkOpen(context)
      await queue.run(() => rebuildStore(context, onProgress), { durability: 'full' })
    },
    async size() {
      checkOpen(context)
      const [versions, heads, recallItems] = ['nodes', 'heads', 'recall'].map((table) =>
        reader.number(`select count(*) from ${table}`),
      )
      const bytes = ['', '-wal'].reduce((sum, suffix) => sum + fileSize(context.path + suffix), 0)
      return { versions: versions ?? 0, heads: heads ?? 0, recallItems: recallItems ?? 0, bytes }
    },
  }
}

function fileSize(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}

function scanPage(context: StoreContext, query: ScanQuery): Page<Node> {
  checkOpen(context)
  checkOwner(query.owner)
  const { sql, values, limit } = scanStatement(
    query,
    query.versions === 'all' ? nodeColumns : headColumns,
    context.concepts,
  )
  const rows = context.reader.all(sql, ...values)
  const nodes = rows.slice(0, limit).map(query.versions === 'all' ? nodeOf : headOf)
  const last = nodes.at(-1)
  return rows.length > limit && last !== undefined ? { nodes, cursor: `${last.seq}` } : { nodes }
}

const feedPage = 500

async function* follow(context: StoreContext, options: FeedOptions): AsyncGenerator<FeedEvent> {
  const { owner, concepts, signal } = options
  const owners = typeof owner === 'string' ? [owner] : owner
  owners.forEach((each) => checkOwner(each))
  const { reader, changes, isClosed } = context
  const over = () => signal?.aborted === true || isClosed()
  const position = () => (isClosed() ? 0 : reader.number('select max(seq) from nodes'))
  let seq = options.after ?? position()
  while (!over()) {
    // The file has one writer at a time, so versions become visible in the order of their sequence numbers.
    const end = position()
    const rows = end > seq ? feedRows(context, { after: seq, end, owners, concepts }) : []
    seq = rows.length < feedPage ? Math.max(seq, end) : Number(rows.at(-1)?.['seq'])
    for (const row of rows) {
      if (over()) return
      yield feedEvent(nodeOf(row), optionalText(row['old_status']))
    }
    const upTo = seq
    if (rows.length < feedPage) await changes.wait(() => position() > upTo, signal)
  }
}

function feedRows(
  { reader }: StoreContext,
  {
    after,
    end,
    owners,
    concepts,
  }: { after: number; end: number; owners: readonly string[]; concepts: readonly string[] | undefined },
): Row[] {
  return reader.all(
    `select ${nodeColumns}, n.old_status from nodes n where n.seq > ? and n.seq <= ? and n.owner ${among(owners)}
      ${concepts === undefined ? '' : `and n.concept ${among(concepts)}`} order by n.seq limit ${feedPage}`,
    after,
    end,
    ...owners,
    ...(concepts ?? []),
  )
}
