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
  base: -5.47,
  core: 1.76,
  mass: 1.52,
  best: 0.61,
  focus: 2.18,
  pairs: 2.48,
  whole: 2.35,
  title: 1.46,
  strange: -1.83,
  length: 2.06,
  asks: 1.25,
}
