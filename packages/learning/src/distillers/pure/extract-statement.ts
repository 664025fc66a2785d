/**
 * Takes one statement from episodes, word for word: the sentence that most of them contain. Nothing is combined or reworded, and a
 * sentence of only one episode is not kept.
 */
import type { BeliefKind, Distilled, DistillRequest } from '../distiller.ts'
import { isAddressedToReader } from '../../statements/pure/addressed-to-reader.ts'
import { sentencesOf } from '../../statements/pure/sentences.ts'
import {
  isWordOfChange,
  type Reading,
  readingDifference,
  readStatement,
} from '../../statements/pure/statement-difference.ts'
import { stemsOf, wordLikeness } from '../../statements/pure/word-likeness.ts'

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
// Limited, because each sentence is compared with every other.
const mostSentences = 200

export function extractStatement(
  { episodes, witnesses = Infinity }: Pick<DistillRequest, 'episodes' | 'witnesses'>,
  least: number,
): Distilled {
  const sentences = episodes
    .flatMap((episode) => sentencesOf(episode.content).map((text) => sentenceOf(text, episode)))
    .slice(-mostSentences)
  const candidates = sentences.filter((sentence) => sentence.isOwn && isWorthKeeping(sentence))
  const supported = candidates.map((sentence) => ({ sentence, from: supportersOf(sentence, sentences) }))
  const [best] = supported.toSorted(
    (a, b) =>
      b.from.length - a.from.length ||
      // A sentence without "now" stays true for longer.
      wordsOfChange(a.sentence) - wordsOfChange(b.sentence) ||
      b.sentence.at - a.sentence.at ||
      a.sentence.text.length - b.sentence.text.length ||
      (a.sentence.text < b.sentence.text ? -1 : 1),
  )
  if (best === undefined) return { distilled: false, why: 'no sentence in it can stand alone' }
  if (best.from.length < least) return { distilled: false, why: 'no two episodes say the same' }
  const { sentence, from } = best
  const supporters = Math.min(from.length, witnesses)
  const confidence = Math.min(mostConfidence, firstConfidence + perSupporter * Math.max(0, supporters - least))
  return { distilled: true, kind: kindOf(sentence), content: sentence.text, confidence, from }
}

function sentenceOf(text: string, { id, kind, voice, createdAt }: DistillRequest['episodes'][number]): Sentence {
  const [stems, reading] = [stemsOf(text), readStatement(text)]
  return { text, episode: id, kind, isOwn: voice === 'own', at: createdAt, stems, reading }
}

function isWorthKeeping({ text, stems }: Sentence): boolean {
  return stems.size >= leastStems && text.length <= mostCharacters && !/[?？]$/.test(text) && !isAddressedToReader(text)
}

/** The sentence's own episode first, then the others in order. */
function supportersOf(sentence: Sentence, all: readonly Sentence[]): readonly string[] {
  const same = all.filter(
    (other) =>
      other.episode !== sentence.episode &&
      (other.text === sentence.text ||
        (wordLikeness(sentence.stems, other.stems) >= sameFrom &&
          readingDifference(sentence.reading, other.reading) === undefined)),
  )
  return [...new Set([sentence.episode, ...same.map(({ episode }) => episode)])]
}

function wordsOfChange({ reading }: Sentence): number {
  return reading.tokens.filter(({ word }) => isWordOfChange(word)).length
}

function kindOf({ kind, text }: Sentence): BeliefKind {
  if (kind === 'plan' || kind === 'step') return 'outcome'
  return /\b(?:prefers?|preferred|likes?|wants?|always|never|rather|favou?rs?)\b/i.test(text) ? 'preference' : 'fact'
}
