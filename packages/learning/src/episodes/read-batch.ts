/** The next episodes of an owner: those whose turn failed, then what is new, oldest first. */
import { scanHeads } from '@agentm/nodes'
import type { ConsolidationContext } from '../consolidation/consolidation-context.ts'
import type { Cursor } from '../consolidation/pure/cursor.ts'
import { type Episode, episodeConcepts, episodeOf } from './pure/episode.ts'

export interface Batch {
  /** Oldest first, what waited from earlier runs included. */
  readonly episodes: readonly Episode[]
  readonly readTo: number
  /** There was more than fits. */
  readonly more: boolean
}

export async function readBatch(
  { store, settings }: ConsolidationContext,
  { owner, cursor, again }: { readonly owner: string; readonly cursor: Cursor; readonly again: boolean },
): Promise<Batch> {
  // Nothing can appear below this number any more, so nothing is passed over that commits late.
  const end = await store.log.position()
  // They take no place of new ones: however many wait, a batch goes on.
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

// Sequence numbers, which steps and plans use up as well: what was said further back is not looked for again.
const reach = 50_000

/** Episodes that were read before, oldest first, as far back as is worth it. */
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
