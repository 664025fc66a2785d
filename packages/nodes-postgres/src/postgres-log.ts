/** `NodeLog` on PostgreSQL. */
import {
  type Head,
  type HistoryOptions,
  type Node,
  type NodeLog,
  type Page,
  parseId,
  type ScanQuery,
  type StoreSize,
} from '@agentm/nodes'
import { checkOwner } from '@agentm/nodes/store-kit'
import { writeBackup } from './backup.ts'
import { checkStore } from './check-store.ts'
import type { StoreContext } from './store-context.ts'
import { follow } from './follow.ts'
import {
  headColumns,
  headOf,
  type HeadRow,
  headsFrom,
  nodeColumns,
  nodeOf,
  type NodeRow,
  ownerChecked,
  knownFrom,
  type KnownRow,
} from './rows.ts'
import { pruneNodes } from './prune-nodes.ts'
import { scanStatement } from './pure/scan-statement.ts'
import { rebuildStore } from './rebuild-store.ts'
import { reclaimSpace } from './reclaim-space.ts'
import { redactNode } from './redact-node.ts'

export function postgresLog(context: StoreContext): NodeLog {
  const { database, writer, horizon } = context
  const { schema } = database
  async function scan(query: ScanQuery & { readonly versions: 'all' }): Promise<Page<Node>>
  async function scan(query: ScanQuery): Promise<Page<Head>>
  async function scan(query: ScanQuery): Promise<Page<Node>> {
    checkOwner(query.owner)
    const { text, values, limit } = scanStatement(query, schema)
    const rows = await database.read<HeadRow>({ text, values })
    const nodes = rows.slice(0, limit).map(query.versions === 'all' ? nodeOf : headOf)
    const last = nodes.at(-1)
    return last !== undefined && rows.length > limit ? { nodes, cursor: `${last.seq}` } : { nodes }
  }
  return {
    append: async (drafts, options) => writer.append(drafts, options),
    async latest(id, { owner }) {
      checkOwner(owner)
      parseId(id)
      const [row] = await database.read<HeadRow & KnownRow>({
        text: `select ${headColumns}, h.first_created_at from ${headsFrom(schema)} where h.id = $1 and ${ownerChecked} = $2`,
        values: [id, owner],
      })
      if (row === undefined) return undefined
      const head = headOf(row)
      // A caller that reads one node by id usually writes it next, so its head is cached.
      writer.saw(knownFrom(head, row.first_created_at), row.payload)
      return head
    },
    history: async (id, options) => historyOf(context, id, options),
    scan,
    feed: (options) => follow(context, options),
    async position() {
      await horizon.advance()
      return horizon.settled
    },
    owners: async ({ after = 0 } = {}) => ownersAfter(context, after),
    redact: async (id, options) => redactNode(context, id, options),
    prune: async (nodes, options) => pruneNodes(context, nodes, options),
    reclaim: async (options) => reclaimSpace(context, options),
    backup: async (to) => writeBackup(database, to),
    check: async () => checkStore(context),
    rebuild: async ({ onProgress } = {}) => rebuildStore(context, onProgress),
    size: async () => sizeOf(context),
  }
}

async function historyOf({ database }: StoreContext, id: string, { owner, after = 0, limit }: HistoryOptions) {
  checkOwner(owner)
  parseId(id)
  const { schema } = database
  const rows = await database.read<NodeRow>({
    text: `select ${nodeColumns} from ${schema}.heads h join ${schema}.nodes n on n.partition = h.partition and n.id = h.id
      where h.id = $1 and ${ownerChecked} = $2 and n.version > $3 order by n.version limit $4`,
    values: [id, owner, after, limit ?? null],
  })
  return rows.map(nodeOf)
}

/** One index lookup per owner, however many versions there are. */
async function ownersAfter({ database }: StoreContext, after: number): Promise<readonly string[]> {
  const { schema } = database
  const rows = await database.read<{ owner: string }>({
    text: `with recursive walk as (
        select min(owner) as owner from ${schema}.heads
        union all
        select (select min(h.owner) from ${schema}.heads h where h.owner > w.owner) from walk w where w.owner is not null
      )
      select owner from walk where owner is not null
        and exists (select from ${schema}.heads h where h.owner = walk.owner and h.seq > $1)
      order by owner`,
    values: [after],
  })
  return rows.map(({ owner }) => owner)
}

async function sizeOf({ database }: StoreContext): Promise<StoreSize> {
  const { schema } = database
  const [row] = await database.read<{ versions: number; heads: number; items: number; bytes: number }>({
    text: `select (select count(*) from ${schema}.nodes) as versions, (select count(*) from ${schema}.heads) as heads,
      (select count(*) from ${schema}.items) as items,
      (select coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint from pg_class c join pg_namespace s on s.oid = c.relnamespace
        where quote_ident(s.nspname) = trim(both '"' from $1) and c.relkind = 'r') as bytes`,
    values: [schema],
  })
  return {
    versions: row?.versions ?? 0,
    heads: row?.heads ?? 0,
    recallItems: row?.items ?? 0,
    bytes: row?.bytes ?? 0,
  }
}
