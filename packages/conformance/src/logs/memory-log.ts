/** `NodeLog` over plain maps: the reference implementation for other stores. Its data is lost when the process ends. */
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
import { checkOwner } from '@agentm/nodes/store-kit'
import { headView, type MemoryState, type StoredHead } from './memory-state.ts'

export function memoryLog(state: MemoryState): NodeLog {
  const mine = (id: string, owner: string): StoredHead | undefined => {
    state.checkOpen()
    checkOwner(owner)
    parseId(id)
    const head = state.heads.get(id)
    return head?.owner === owner ? head : undefined
  }
  async function scan(query: ScanQuery & { readonly versions: 'all' }): Promise<Page<Node>>
  async function scan(query: ScanQuery): Promise<Page<Head>>
  async function scan(query: ScanQuery): Promise<Page<Node>> {
    state.checkOpen()
    checkOwner(query.owner)
    return pageOf(state, query)
  }
  return {
    async append(drafts, options) {
      state.checkOpen()
      return state.append(drafts, options)
    },
    async latest(id, { owner }) {
      const head = mine(id, owner)
      return head === undefined ? undefined : headView(head)
    },
    async history(id, { owner, after = 0, limit = Infinity }) {
      if (mine(id, owner) === undefined) return []
      const versions = state.versions.filter((node) => node.id === id && node.version > after)
      return structuredClone(versions.slice(0, limit))
    },
    scan,
    feed: (options) => follow(state, options),
    async position() {
      return state.position
    },
    async owners({ after = 0 } = {}) {
      return [...new Set(state.versions.filter(({ seq }) => seq > after).map(({ owner }) => owner))].toSorted()
    },
    async redact(id, { owner, actor }) {
      const head = mine(id, owner)
      if (head === undefined) return undefined
      return head.redacted ? headView(head) : state.redact(head, actor)
    },
    async prune(nodes, { owner }) {
      state.checkOpen()
      checkOwner(owner)
      return state.prune(nodes, owner)
    },
    async reclaim() {
      state.checkOpen()
    },
    async backup(to) {
      if (state.backups.has(to)) throw new TypeError(`there is a backup named ${to} already`)
      state.backups.set(to, structuredClone(state.versions))
    },
    async check() {
      return { ok: true, problems: [], versions: state.versions.length, heads: state.heads.size }
    },
    async rebuild({ onProgress } = {}) {
      state.rebuild()
      onProgress?.(state.heads.size, state.heads.size)
    },
    async size() {
      const bytes = JSON.stringify(state.versions).length
      return { versions: state.versions.length, heads: state.heads.size, recallItems: state.items.size, bytes }
    },
  }
}

function pageOf(state: MemoryState, query: ScanQuery): Page<Node> {
  const { versions = 'heads', order = 'oldest', limit = 1000, cursor } = query
  const matching = [...state.heads.values()].filter((head) => isWanted(state, head, query))
  const ids = new Set(matching.map(({ id }) => id))
  const all: readonly Node[] =
    versions === 'all' ? state.versions.filter(({ id }) => ids.has(id)) : matching.map(headView)
  const from = cursor === undefined ? undefined : Number(cursor)
  const sorted = all
    .filter(({ seq, createdAt }) => seq > (query.after ?? 0) && createdAt >= (query.since ?? -Infinity))
    .filter(({ seq }) => from === undefined || (order === 'oldest' ? seq > from : seq < from))
    .toSorted((a, b) => (order === 'oldest' ? a.seq - b.seq : b.seq - a.seq))
  const nodes = structuredClone(sorted.slice(0, Math.min(limit, 10_000)))
  const last = nodes.at(-1)
  return last !== undefined && sorted.length > nodes.length ? { nodes, cursor: `${last.seq}` } : { nodes }
}

function isWanted(state: MemoryState, head: StoredHead, query: ScanQuery): boolean {
  const { owner, concepts, ids, partition, status, parent, related, maxRemaining } = query
  return (
    head.owner === owner &&
    (concepts?.includes(head.concept) ?? true) &&
    (ids?.includes(head.id) ?? true) &&
    (partition === undefined || head.partition === partition) &&
    isOneOf(head.status, status) &&
    isOneOf(head.parent, parent) &&
    (related === undefined || state.related(related.field, related.to).has(head.id)) &&
    (maxRemaining === undefined || head.remaining <= maxRemaining)
  )
}

function isOneOf(value: string | undefined, asked: string | readonly string[] | undefined): boolean {
  if (asked === undefined || value === undefined) return asked === undefined
  return typeof asked === 'string' ? value === asked : asked.includes(value)
}

async function* follow(state: MemoryState, options: FeedOptions): AsyncGenerator<FeedEvent> {
  const { owner, after, concepts, signal } = options
  const owners = typeof owner === 'string' ? [owner] : owner
  owners.forEach((each) => checkOwner(each))
  let seq = after ?? state.position
  const over = () => signal?.aborted === true || state.closed
  while (!over()) {
    const event = state.eventAfter(seq)
    if (event === undefined) {
      await woken(state, signal)
      continue
    }
    seq = event.node.seq
    if (owners.includes(event.node.owner) && (concepts?.includes(event.node.concept) ?? true)) yield event
  }
}

async function woken(state: MemoryState, signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((resolve) => {
    const resume = () => {
      state.waiting.delete(resume)
      signal?.removeEventListener('abort', resume)
      resolve()
    }
    state.waiting.add(resume)
    signal?.addEventListener('abort', resume)
  })
}
