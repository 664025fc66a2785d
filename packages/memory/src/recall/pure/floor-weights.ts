/** The weights of the evidence for an answer, as `npm run eval -- floor --fit` prints them. */

/** The figures of the evidence that always have a weight. */
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

export const wordsAlone: Weights = {
  base: -5.46,
  core: 1.25,
  mass: 1.5,
  best: 1.01,
  focus: 2.01,
  pairs: 2.38,
  whole: 2.33,
  title: 1.88,
  strange: -1.34,
  length: 2.26,
  asks: 1.32,
}

export const withMeaning: Weights & { readonly similarity: number } = {
  base: -5.73,
  core: 1.24,
  mass: 1.46,
  best: 1.05,
  focus: 1.99,
  pairs: 2.39,
  whole: 2.16,
  title: 1.84,
  strange: -1.28,
  length: 2.24,
  asks: 1.32,
  similarity: 0.81,
}
