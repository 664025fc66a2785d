/** The weights of the evidence for an answer, as `npm run eval -- floor --fit` prints them. */

/** The figures of the evidence that have a weight. */
export const figures = [
  'core',
  'mass',
  'best',
  'focus',
  'pairs',
  'whole',
  'title',
  'strange',
  'length',
  'asks',
] as const

/** The weight of each figure, and the odds without any evidence. */
export type Weights = Readonly<Record<(typeof figures)[number] | 'base', number>>

export const weights: Weights = {
  base: -5.6,
  core: 1.77,
  mass: 1.54,
  best: 0.67,
  focus: 2.19,
  pairs: 2.42,
  whole: 2.48,
  title: 1.39,
  strange: -1.83,
  length: 2.12,
  asks: 1.27,
}
