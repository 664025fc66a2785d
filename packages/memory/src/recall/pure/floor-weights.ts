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
  base: -5.32,
  core: 1.29,
  mass: 1.6,
  best: 0.52,
  focus: 2.29,
  pairs: 2.67,
  whole: 2.6,
  title: 1.41,
  strange: -1.87,
  length: 2.16,
  asks: 1.25,
}
