/** The clusters of a batch: by meaning where there are vectors, by words where not, and never across partitions. */
import { dot, type ItemVector, unitVector, scanHeads } from '@agentm/nodes'
import type { ConsolidationContext } from './consolidation-context.ts'
import { isAddressedToReader } from './pure/addressed-to-reader.ts'
import { clusters } from './pure/clusters.ts'
import { type Episode, episodeConcepts, episodeOf } from './pure/episode.ts'
import { stemsOf, wordLikeness } from './pure/word-likeness.ts'

export interface Gathered {
  /** In order of their newest episode: what is newer is heard last. */
  readonly clusters: readonly (readonly Episode[])[]
  /** They speak to their reader, and are not learned from. */
  readonly leftOut: readonly Episode[]
}

export async function gatherClusters(context: ConsolidationContext, episodes: readonly Episode[]): Promise<Gathered> {
  const leftOut = episodes.filter(({ content }) => isAddressedToReader(content))
  const heard = episodes.filter((episode) => !leftOut.includes(episode))
  const units = (
    await embedTexts(
      context,
      heard.map(({ content }) => content),
    )
  ).map((vector) => (vector === undefined ? undefined : unitVector(vector.values)))
  const stems = heard.map(({ content }) => stemsOf(content))
  const { nearness, settings } = context
  const found = clusters(heard, {
    threshold: 0,
    most: settings.clusterMax,
    likeness(a, b) {
      const [one, other] = [units[a], units[b]]
      if (one !== undefined && other !== undefined) return dot(one, other) - nearness.cluster
      return wordLikeness(stems[a] ?? new Set(), stems[b] ?? new Set()) - nearness.wordCluster
    },
  })
  return { clusters: found.toSorted((a, b) => newest(a) - newest(b)), leftOut }
}

function newest(cluster: readonly Episode[]): number {
  return Math.max(...cluster.map(({ seq }) => seq))
}

/** Nothing for texts that the embedder has no words for. */
export async function embedTexts(
  { embedder }: ConsolidationContext,
  texts: readonly string[],
): Promise<readonly (ItemVector | undefined)[]> {
  if (embedder === undefined || texts.length === 0) return texts.map(() => undefined)
  const vectors = await embedder.embed(texts)
  return texts.map((_, i) => {
    const values = vectors[i]
    const isThere = values !== undefined && Array.from(values).some((value) => value !== 0)
    return isThere ? { embedder: embedder.name, values } : undefined
  })
}

// Enough to see that something was said before.
const mostNeighbours = 5

/**
 * Older episodes that are about the same. What was said once in each of two nights was said twice, although no batch holds
 * both.
 */
export async function neighboursOf(
  context: ConsolidationContext,
  { owner, cluster, end }: { readonly owner: string; readonly cluster: readonly Episode[]; readonly end: number },
): Promise<readonly Episode[]> {
  const [first] = cluster
  if (first === undefined) return []
  const { store, nearness } = context
  const [vector] = await embedTexts(context, [first.content])
  const { hits } = await store.recall.recall({
    owner,
    concepts: episodeConcepts,
    partitions: [first.partition],
    text: first.content,
    ...(vector === undefined ? { wSem: 0, wLex: 1 } : { vector, wSem: 0.5, wLex: 0.5 }),
    wRec: 0,
    k: mostNeighbours * 4,
  })
  const known = new Set(cluster.map(({ id }) => id))
  const ids = hits.map(({ id }) => id).filter((id) => !known.has(id))
  if (ids.length === 0) return []
  const stems = stemsOf(first.content)
  const older: Episode[] = []
  for await (const head of scanHeads(store.log, { owner, ids })) {
    const episode = head.seq > end ? undefined : episodeOf(head)
    if (episode === undefined || isAddressedToReader(episode.content)) continue
    const similarity = hits.find(({ id }) => id === head.id)?.similarity
    const near = similarity ?? wordLikeness(stems, stemsOf(episode.content))
    if (near >= (similarity === undefined ? nearness.wordCluster : nearness.cluster)) older.push(episode)
  }
  return older.slice(0, mostNeighbours)
}
