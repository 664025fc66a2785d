/**
 * Groups the useful part of a batch into clusters of one topic, never across projects. A cluster contains whole episodes, compared
 * by vectors or, without an embedder, by words; or single sentences that several plans contain.
 */
import { dot, unitVector, scanHeads } from '@agentm/nodes'
import type { ConsolidationContext } from '../consolidation/consolidation-context.ts'
import { embedTexts } from '../consolidation/embed-texts.ts'
import type { HeardSentence, HeardSentences } from './heard-sentences.ts'
import { isAddressedToReader } from '../statements/pure/addressed-to-reader.ts'
import { clusters } from './pure/clusters.ts'
import { type Episode, episodeConcepts, episodeOf } from './pure/episode.ts'
import { isLastingSentence } from '../statements/pure/lasting-sentence.ts'
import { isPassingSentence } from '../statements/pure/passing-sentence.ts'
import { sentencesOf } from '../statements/pure/sentences.ts'
import { stemsOf, wordLikeness } from '../statements/pure/word-likeness.ts'

export interface Gathered {
  /** Ordered by their newest episode, the newest last. */
  readonly clusters: readonly (readonly Episode[])[]
  /** Episodes that address their reader. Nothing is learned from them. */
  readonly leftOut: readonly Episode[]
}

export async function gatherEpisodes(context: ConsolidationContext, episodes: readonly Episode[]): Promise<Gathered> {
  const { leftOut, heard } = heardOf(episodes)
  // Tool output alone creates no belief, so it is skipped in projects whose agents wrote nothing.
  const speaking = new Set(heard.filter(({ voice }) => voice === 'own').map(({ partition }) => partition))
  const told = heard.filter(({ partition }) => speaking.has(partition))
  const vectors = await embedTexts(
    context,
    told.map(({ content }) => content),
  )
  const units = vectors.map((vector) => (vector === undefined ? undefined : unitVector(vector.values)))
  const stems = told.map(({ content }) => stemsOf(content))
  const { nearness, settings } = context
  const found = clusters(told, {
    threshold: 0,
    most: settings.clusterMax,
    likeness(a, b) {
      const [one, other] = [units[a], units[b]]
      if (one !== undefined && other !== undefined) return dot(one, other) - nearness.cluster
      return wordLikeness(stems[a] ?? new Set(), stems[b] ?? new Set()) - nearness.wordCluster
    },
  })
  return { clusters: inOrder(found), leftOut }
}

/** Clusters with a sentence that is new in this batch, each with all known episodes that contain the sentence. */
export async function gatherSentences(
  episodes: readonly Episode[],
  { heard, breathe }: { readonly heard: HeardSentences; readonly breathe: () => Promise<void> },
): Promise<Gathered> {
  const { leftOut, heard: told } = heardOf(episodes)
  const said: HeardSentence[] = []
  for (const episode of told) {
    said.push(...hear([episode], heard))
    await breathe()
  }
  const done = new Set<string>()
  const found: Episode[][] = []
  for (const sentence of said) {
    const key = `${sentence.partition}\n${sentence.text}`
    if (done.has(key)) continue
    const same = heard.same(sentence)
    for (const { text, partition } of same) done.add(`${partition}\n${text}`)
    found.push(same.flatMap(({ text, said: by }) => by.map((episode) => ({ ...episode, content: text }))))
    await breathe()
  }
  return { clusters: inOrder(found.map(eachOnce)), leftOut }
}

/** Sentences that may be worth keeping, in their original words. */
export function hear(episodes: readonly Episode[], heard: HeardSentences) {
  return episodes
    .filter((episode) => episode.voice === 'own' && !episode.isRoutine)
    .flatMap((episode) =>
      sentencesOf(episode.content)
        .filter((text) => !isPassingSentence(text) && isLastingSentence(text))
        .map((text) => heard.add(text, episode)),
    )
}

function heardOf(episodes: readonly Episode[]) {
  const told = episodes.filter(({ isRoutine }) => !isRoutine)
  const leftOut = told.filter(({ content }) => isAddressedToReader(content))
  return { leftOut, heard: told.filter((episode) => !leftOut.includes(episode)) }
}

/** Oldest first. If an episode says it in two ways, only the first is used. */
function eachOnce(cluster: readonly Episode[]): readonly Episode[] {
  const ids = new Set<string>()
  return cluster.toSorted((a, b) => a.seq - b.seq).filter(({ id }) => !ids.has(id) && ids.add(id))
}

function inOrder(found: readonly (readonly Episode[])[]): readonly (readonly Episode[])[] {
  return found
    .map((cluster) => ({ cluster, newest: Math.max(...cluster.map(({ seq }) => seq)) }))
    .toSorted((a, b) => a.newest - b.newest)
    .map(({ cluster }) => cluster)
}

// Enough to see that it was said before.
const mostNeighbours = 5

/**
 * Finds older episodes about the same topic. A statement made once in each of two nights counts twice, although no batch contains
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
    if (episode === undefined || episode.isRoutine || isAddressedToReader(episode.content)) continue
    const similarity = hits.find(({ id }) => id === head.id)?.similarity
    const near = similarity ?? wordLikeness(stems, stemsOf(episode.content))
    if (near >= (similarity === undefined ? nearness.wordCluster : nearness.cluster)) older.push(episode)
  }
  return older.slice(0, mostNeighbours)
}
