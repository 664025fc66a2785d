/**
 * One statement out of episodes, word for word: the sentence that most of them say. Nothing is put together or reworded, and
 * what only one episode says is not kept.
 */
import type { BeliefKind, Distilled, DistillRequest } from '../distiller.ts'
import { isAddressedToReader } from './addressed-to-reader.ts'
import { type Reading, readingDifference, readStatement } from './statement-difference.ts'
import { stemsOf, wordLikeness } from './word-likeness.ts'

interface Sentence {
  readonly text: string
  readonly episode: string
  readonly kind: string
  readonly isOwn: boolean
  readonly at: number
  readonly stems: ReadonlySet<string>
  readonly reading: Reading
}

const sameFrom = 0.7
const [leastStems, mostCharacters] = [2, 300]
const [firstConfidence, perSupporter, mostConfidence] = [0.5, 0.05, 0.7]

export function extractStatement({ episodes }: Pick<DistillRequest, 'episodes'>, least: number): Distilled {
  const sentences = episodes.flatMap((episode) =>
    sentencesOf(episode.content).map((text) => ({
      text,
      episode: episode.id,
      kind: episode.kind,
      isOwn: episode.voice === 'own',
      at: episode.createdAt,
      stems: stemsOf(text),
      reading: readStatement(text),
    })),
  )
  const candidates = sentences.filter((sentence) => sentence.isOwn && isWorthKeeping(sentence))
  const supported = candidates.map((sentence) => ({ sentence, from: supportersOf(sentence, sentences) }))
  const [best] = supported.toSorted(
    (a, b) =>
      b.from.length - a.from.length ||
      b.sentence.at - a.sentence.at ||
      a.sentence.text.length - b.sentence.text.length ||
      (a.sentence.text < b.sentence.text ? -1 : 1),
  )
  if (best === undefined) return { distilled: false, why: 'no sentence in it can stand alone' }
  if (best.from.length < least) return { distilled: false, why: 'no two episodes say the same' }
  const { sentence, from } = best
  const confidence = Math.min(mostConfidence, firstConfidence + perSupporter * (from.length - least))
  return { distilled: true, kind: kindOf(sentence), content: sentence.text, confidence, from }
}

function sentencesOf(text: string): readonly string[] {
  const pieces = text
    .split(/[\r\n]+|(?<=[.!?。！？])\s+/u)
    .map((piece) => piece.replace(/^\s*(?:[-*+>#]+|\d+[.)])\s+/, '').trim())
  return pieces.filter((piece) => piece !== '')
}

function isWorthKeeping({ text, stems }: Sentence): boolean {
  return stems.size >= leastStems && text.length <= mostCharacters && !/[?？]$/.test(text) && !isAddressedToReader(text)
}

/** Its own episode first, then the others in order. */
function supportersOf(sentence: Sentence, all: readonly Sentence[]): readonly string[] {
  const same = all.filter(
    (other) =>
      other.episode !== sentence.episode &&
      wordLikeness(sentence.stems, other.stems) >= sameFrom &&
      readingDifference(sentence.reading, other.reading) === undefined,
  )
  return [...new Set([sentence.episode, ...same.map(({ episode }) => episode)])]
}

function kindOf({ kind, text }: Sentence): BeliefKind {
  if (kind === 'plan' || kind === 'step') return 'outcome'
  return /\b(?:prefers?|preferred|likes?|wants?|always|never|rather|favou?rs?)\b/i.test(text) ? 'preference' : 'fact'
}
