/** The settings of consolidation; each is a key of the configuration. Similarity thresholds default to those of the embedder. */
import { thresholdsOf } from '@agentm/memory/ranking'

/** The settings of consolidation; each is a key of the configuration. */
export interface ConsolidationSettings {
  /** The most episodes in one batch. */
  readonly batchMax: number
  /** The most batches in one run. */
  readonly batchesPerRun: number
  /** The most questions to a model in one run. The remaining episodes wait for the next run. */
  readonly questionsPerRun: number
  /** The most episodes in one cluster. */
  readonly clusterMax: number
  readonly clusterThreshold: number | undefined
  readonly dedupThreshold: number | undefined
  /** The same two thresholds, for use without an embedder. */
  readonly wordClusterThreshold: number
  readonly wordDedupThreshold: number
  readonly decayDays: number
  readonly decayPerInterval: number
  readonly pruneConfidence: number
  readonly reinforceBump: number
  /** How long a run that died can block other runs. */
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

/** The thresholds for similarity, by meaning and by words. */
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
