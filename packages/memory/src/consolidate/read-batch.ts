/** The next episodes of an owner: those whose turn failed, then what is new, oldest first. */
import { scanHeads } from '@agentm/nodes'
import type { ConsolidationContext } from './consolidation-context.ts'
import type { Cursor } from './pure/cursor.ts'
import { type Episode, episodeConcepts, episodeOf } from './pure/episode.ts'

export interface Batch {
  readonly episodes: readonly Episode[]
  readonly readTo: number
  /** There was more than fits. */
  readonly more: boolean
}

export async function readBatch(
  { store, settings }: ConsolidationContext,
  { owner, cursor }: { readonly owner: string; readonly cursor: Cursor },
): Promise<Batch> {
  // Nothing can appear below this number any more, so nothing is passed over that commits late.
  const end = await store.log.position()
  const held = await heldEpisodes(store.log, owner, cursor.held)
  const episodes = [...held]
  let { readTo } = cursor
  const heads = scanHeads(store.log, { owner, concepts: episodeConcepts, after: cursor.readTo, limit: 500 })
  for await (const head of heads) {
    if (head.seq > end) break
    const episode = held.some(({ id }) => id === head.id) ? undefined : episodeOf(head)
    if (episode !== undefined && episodes.length >= settings.batchMax) return { episodes, readTo, more: true }
    if (episode !== undefined) episodes.push(episode)
    readTo = head.seq
  }
  return { episodes: episodes.toSorted((a, b) => a.seq - b.seq), readTo: Math.max(readTo, end), more: false }
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
