/**
 * Remembers sentences of agents and finds them by their words: who else said the same, and whether a sentence is only a manner of
 * speaking. It is kept in memory for one run, with a size limit: the oldest sentences are dropped first.
 */
import type { Episode } from './pure/episode.ts'
import { framesOf } from '../statements/pure/frames.ts'
import { type Reading, readingDifference, readStatement } from '../statements/pure/statement-difference.ts'
import { stemsOf, wordLikeness } from '../statements/pure/word-likeness.ts'

/** One text, and the episodes that contain it. */
export interface HeardSentence {
  readonly text: string
  readonly partition: string
  readonly stems: ReadonlySet<string>
  readonly reading: Reading
  /** Oldest first. */
  readonly said: Episode[]
}

/** The word similarity from which two sentences may have the same meaning. */
const sameFrom = 0.7
const mostSaid = 24
// The most texts in one generation. Two generations are kept.
const fullGeneration = 20_000
// A sentence that occurs with this many different words in one place is a manner of speaking, or a line printed by a program.
const fillersOfPhrase = 5
const mostFrames = 400_000

export class HeardSentences {
  #young = new Generation()
  #old = new Generation()
  readonly #fillers = new Map<number, number[]>()

  add(text: string, episode: Episode): HeardSentence {
    const known = this.#young.find(text, episode.partition) ?? this.#moved(text, episode.partition)
    const heard = known ?? this.#remember(text, episode.partition)
    if (heard.said.some(({ id }) => id === episode.id)) return heard
    heard.said.push(episode)
    if (heard.said.length > mostSaid) heard.said.shift()
    return heard
  }

  /** All sentences with the same meaning, including this one. */
  same(sentence: HeardSentence): readonly HeardSentence[] {
    const others = [...this.#young.near(sentence), ...this.#old.near(sentence)]
    return [sentence, ...others.filter((other) => other !== sentence && other.text !== sentence.text)]
  }

  /** "Synced 12 rows of billing" and "Synced 4 rows of mailer" share a pattern that says nothing specific. */
  isPhrase({ text }: Pick<HeardSentence, 'text'>): boolean {
    return framesOf(text).some(({ frame }) => (this.#fillers.get(frame)?.length ?? 0) >= fillersOfPhrase)
  }

  #moved(text: string, partition: string): HeardSentence | undefined {
    const heard = this.#old.find(text, partition)
    if (heard !== undefined) this.#young.put(heard)
    return heard
  }

  #remember(text: string, partition: string): HeardSentence {
    const heard = { text, partition, stems: stemsOf(text), reading: readStatement(text), said: [] }
    if (this.#young.size >= fullGeneration) {
      this.#old = this.#young
      this.#young = new Generation()
    }
    this.#young.put(heard)
    this.#noteFrames(text)
    return heard
  }

  #noteFrames(text: string): void {
    if (this.#fillers.size > mostFrames) this.#fillers.clear()
    for (const { frame, filler } of framesOf(text)) {
      const fillers = this.#fillers.get(frame)
      if (fillers === undefined) this.#fillers.set(frame, [filler])
      else if (fillers.length < fillersOfPhrase && !fillers.includes(filler)) fillers.push(filler)
    }
  }
}

// Enough to find equal sentences; further ones differ in a word each.
const mostCompared = 100

class Generation {
  readonly #byText = new Map<string, HeardSentence>()
  /** Grouped by project, numbers and dates, because sentences that differ in these never have the same meaning. */
  readonly #shelves = new Map<string, Shelf>()

  find(text: string, partition: string): HeardSentence | undefined {
    return this.#byText.get(`${partition}\n${text}`)
  }

  put(heard: HeardSentence): void {
    const key = shelfKey(heard)
    const shelf: Shelf = this.#shelves.get(key) ?? { sentences: [], byStem: new Map() }
    this.#shelves.set(key, shelf)
    this.#byText.set(`${heard.partition}\n${heard.text}`, heard)
    const at = shelf.sentences.push(heard) - 1
    for (const stem of heard.stems) {
      const holders = shelf.byStem.get(stem)
      if (holders === undefined) shelf.byStem.set(stem, [at])
      else holders.push(at)
    }
  }

  get size(): number {
    return this.#byText.size
  }

  near(sentence: HeardSentence): readonly HeardSentence[] {
    const shelf = this.#shelves.get(shelfKey(sentence))
    if (shelf === undefined) return []
    return candidates(shelf, sentence)
      .flatMap((at) => shelf.sentences[at] ?? [])
      .filter(({ stems }) => wordLikeness(sentence.stems, stems) >= sameFrom)
      .slice(0, mostCompared)
      .filter(({ reading }) => readingDifference(sentence.reading, reading) === undefined)
  }
}

interface Shelf {
  readonly sentences: HeardSentence[]
  readonly byStem: Map<string, number[]>
}

function shelfKey({ partition, reading }: HeardSentence): string {
  return `${partition}\n${reading.numbers}\n\n${reading.dates}`
}

/** Sentences that share one of the rarest words, because two sentences this similar cannot differ in all of them. */
function candidates({ byStem }: Shelf, { stems }: HeardSentence): readonly number[] {
  const held = [...stems].flatMap((stem) => [byStem.get(stem) ?? []]).toSorted((a, b) => a.length - b.length)
  const shared = Math.ceil(sameFrom * sameFrom * stems.size)
  const found = new Set<number>()
  for (const holders of held.slice(0, stems.size - shared + 1)) for (const at of holders) found.add(at)
  return [...found]
}
