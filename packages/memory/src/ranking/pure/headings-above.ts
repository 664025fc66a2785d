/**
 * What the title and the headings above a passage say of a question. A passage gets their words, because nobody repeats a heading in each
 * line below it.
 */

/** How much of a word a passage has that does not say it itself. */
export interface SharesAbove {
  readonly heading: number
  readonly title: number
}

// Measured with `npm run eval -- recall`. Less than 1, so that a passage that says the word itself comes first. The title is
// above all passages alike, so it tells less which of them answers.
export const sharesAbove: SharesAbove = { heading: 0.8, title: 0.2 }

interface Heading {
  readonly level: number
  /** The terms of the question in it, each 0 to 1. */
  readonly present: Float64Array
}

export class HeadingsAbove {
  readonly #title: Float64Array
  readonly #open: Heading[] = []
  #present: Float64Array | undefined

  /** @param title the terms of the question in the title, each 0 to 1 */
  constructor(title: Float64Array) {
    this.#title = title.map((share) => share * sharesAbove.title)
    this.#join()
  }

  /** How much a passage here has of each term of the question, beside its own words; `undefined` if it has nothing of any. */
  get present(): Float64Array | undefined {
    return this.#present
  }

  /** At a heading, the sections of its level and below end. Level 0 is no heading. */
  leave(level: number): void {
    if (level === 0) return
    const above = this.#open.length
    while ((this.#open.at(-1)?.level ?? 0) >= level) this.#open.pop()
    if (this.#open.length < above) this.#join()
  }

  enter(level: number, present: Float64Array): void {
    this.#open.push({ level, present })
    this.#join()
  }

  #join(): void {
    const present = this.#title.map((share, i) =>
      this.#open.reduce((most, heading) => Math.max(most, sharesAbove.heading * (heading.present[i] ?? 0)), share),
    )
    this.#present = present.some((share) => share > 0) ? present : undefined
  }
}
