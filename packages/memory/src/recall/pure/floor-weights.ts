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
  base: -5.4,
  core: 1.09,
  mass: 1.52,
  best: 0.82,
  focus: 2.09,
  pairs: 2.56,
  whole: 2.4,
  title: 1.86,
  strange: -1.29,
  length: 2.4,
  asks: 1.35,
}
