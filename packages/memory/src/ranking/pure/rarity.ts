import type { CorpusStatistics } from './rank-lexical.ts'

/** BM25's inverse document frequency, never negative. */
export function rarity(frequency: number, { documents }: CorpusStatistics): number {
  return Math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5))
}

/** The number of notes with at least one of the stems, or a little more. */
export function frequencyOf(stems: readonly string[], corpus: CorpusStatistics): number {
  const sum = stems.reduce((total, stem) => total + corpus.documentFrequency(stem), 0)
  return Math.min(sum, corpus.documents)
}

/** With very few notes, a word that all of them contain is not yet common. So the weight grows with the first few dozen notes. */
export function worthOf(frequency: number, { documents }: CorpusStatistics): number {
  const presumedIn = frequency + presumed.frequency
  return Math.log(1 + (documents + presumed.documents - presumedIn + 0.5) / (presumedIn + 0.5))
}

const presumed = { documents: 20, frequency: 0.4 }
