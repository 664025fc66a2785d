/** What may be tuned; each of them is a key of the config. Similarities are the embedder's own where they are not set. */
import { thresholdsOf } from '@agentm/memory/ranking'

/** The settings of consolidation; each is a key of the configuration. */
export interface ConsolidationSettings {
  /** Episodes read at once. */
  readonly batchMax: number
  /** Batches of one run. */
  readonly batchesPerRun: number
  /** Questions to a model after which a run ends; what is left waits for the next one. */
  readonly questionsPerRun: number
  /** Episodes of one cluster. */
  readonly clusterMax: number
  readonly clusterThreshold: number | undefined
  readonly dedupThreshold: number | undefined
  /** The same two where nothing makes vectors. */
  readonly wordClusterThreshold: number
  readonly wordDedupThreshold: number
  readonly decayDays: number
  readonly decayPerInterval: number
  readonly pruneConfidence: number
  readonly reinforceBump: number
  /** How long a run that died keeps others out, at most. */
  readonly leaseMs: number
}

/** The default settings of consolidation. */
export const defaultSettings: ConsolidationSettings = {
  batchMax: 200,
  batchesPerRun: 10_000,
  questionsPerRun: 200,
  clusterMax: 24,
  clusterThreshold: undefined,
  dedupThreshold: undefined,
  wordClusterThreshold: 0.5,
  wordDedupThreshold: 0.75,
  decayDays: 30,
  decayPerInterval: 0.1,
  pruneConfidence: 0.15,
  reinforceBump: 0.15,
  leaseMs: 30_000,
}

/** What counts as near, by meaning and by words. */
export interface Nearness {
  readonly cluster: number
  readonly dedup: number
  readonly wordCluster: number
  readonly wordDedup: number
}

export function nearnessOf(settings: ConsolidationSettings, embedder: string | undefined): Nearness {
  const own = thresholdsOf(embedder ?? '')
  return {
    cluster: settings.clusterThreshold ?? own.cluster,
    dedup: settings.dedupThreshold ?? own.beliefDedup,
    wordCluster: settings.wordClusterThreshold,
    wordDedup: settings.wordDedupThreshold,
  }
}
