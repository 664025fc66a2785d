/** The next episodes of an owner: first those that failed, then new ones, oldest first. */
import { scanHeads } from '@agentm/nodes'
import type { ConsolidationContext } from '../consolidation/consolidation-context.ts'
import type { Cursor } from '../consolidation/pure/cursor.ts'
import { type Episode, episodeConcepts, episodeOf } from './pure/episode.ts'

export interface Batch {
  /** Oldest first, including those that waited from earlier runs. */
  readonly episodes: readonly Episode[]
  readonly readTo: number
  /** Whether more episodes are left than fit. */
  readonly more: boolean
}

export async function readBatch(
  { store, settings }: ConsolidationContext,
  { owner, cursor, again }: { readonly owner: string; readonly cursor: Cursor; readonly again: boolean },
): Promise<Batch> {
  // No entry can appear below this number any more, so late commits are not skipped.
  const end = await store.log.position()
  // Waiting episodes take no places of new ones, so a batch always makes progress.
  const held = again ? await heldEpisodes(store.log, owner, cursor.held) : []
  const [episodes, known]: [Episode[], Set<string>] = [[], new Set(cursor.held)]
  const inOrder = () => [...held, ...episodes].toSorted((a, b) => a.seq - b.seq)
  let { readTo } = cursor
  const limit = settings.batchMax + 1
  for await (const head of scanHeads(store.log, { owner, concepts: episodeConcepts, after: readTo, limit })) {
    if (head.seq > end) break
    const episode = known.has(head.id) ? undefined : episodeOf(head)
    if (episode !== undefined && episodes.length >= settings.batchMax)
      return { episodes: inOrder(), readTo, more: true }
    if (episode !== undefined) episodes.push(episode)
    readTo = head.seq
  }
  return { episodes: inOrder(), readTo: Math.max(readTo, end), more: false }
}

// How far back to look, in sequence numbers. Steps and plans use them, too.
const reach = 50_000

/** Episodes that were read before, oldest first, within that distance. */
export async function* readBefore(
  { store }: Pick<ConsolidationContext, 'store'>,
  { owner, readTo }: { readonly owner: string; readonly readTo: number },
): AsyncGenerator<Episode> {
  const query = { owner, concepts: ['v1:harness:observation'], after: Math.max(0, readTo - reach), limit: 500 }
  for await (const head of scanHeads(store.log, query)) {
    if (head.seq > readTo) return
    const episode = episodeOf(head)
    if (episode !== undefined) yield episode
  }
}

async function heldEpisodes(
  log: ConsolidationContext['store']['log'],
  owner: string,
  ids: readonly string[],
): Promise<readonly Episode[]> {
  if (ids.length === 0) return []
  const episodes: Episode[] = []
  for await (const head of scanHeads(log, { owner, ids })) {
    const episode = episodeOf(head)
    if (episode !== undefined) episodes.push(episode)
  }
  return episodes
}
