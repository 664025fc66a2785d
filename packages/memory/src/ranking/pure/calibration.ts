/**
 * The similarity from which two texts count as alike, for each embedder. A cosine of 0.8 means something else with every embedder,
 * so thresholds are measured for each one and never used for another.
 */
export interface Thresholds {
  /** An agent fits a step as it is. */
  readonly route: number
  /** An agent is of the right kind but lacks an ability. */
  readonly upgrade: number
  /** Two agents are the same. */
  readonly provisionDedup: number
  /** Two beliefs have the same meaning. */
  readonly beliefDedup: number
  /** Two episodes are about the same topic. */
  readonly cluster: number
}

/** For embedders without measured thresholds. */
export const uncalibrated: Thresholds = {
  route: 0.82,
  upgrade: 0.6,
  provisionDedup: 0.9,
  beliefDedup: 0.86,
  cluster: 0.75,
}

/** Measured with `npm run eval -- thresholds`, which shows how well each threshold separates. `lexical` compares words. */
const measured: ReadonlyMap<string, Thresholds> = new Map([
  [
    'static-1/glove-6b-50k.1/256',
    { route: 0.62, upgrade: 0.62, provisionDedup: 0.77, beliefDedup: 0.83, cluster: 0.51 },
  ],
  ['lexical', { route: 0.19, upgrade: 0.14, provisionDedup: 0.55, beliefDedup: 0.67, cluster: 0.29 }],
])

/** The thresholds of this embedder, or the general ones if it was not measured. */
export function thresholdsOf(embedder: string): Thresholds {
  return measured.get(embedder) ?? uncalibrated
}

/** Whether thresholds were measured for this embedder. */
export function isCalibrated(embedder: string): boolean {
  return measured.has(embedder)
}
