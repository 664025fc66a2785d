/**
 * Words by number. A note is cut into words once and then read at every question; as numbers it takes four bytes a word, and
 * a question looks each of them up in a row of bytes instead of comparing text.
 */
import type { Term } from './tokenize.ts'

/** Words by number, which makes comparing many notes cheap. */
export class Vocabulary {
  readonly #numbers = new Map<string, number>()
  readonly #forms = new Map<string, number[]>()

  /** How many words there are; each number is below it. */
  get size(): number {
    return this.#numbers.size
  }

  /** The number of a word, which gets one where it has none. */
  numberOf({ surface, stem }: Term): number {
    const known = this.#numbers.get(surface)
    if (known !== undefined) return known
    const number = this.#numbers.size
    this.#numbers.set(surface, number)
    const forms = this.#forms.get(stem)
    if (forms === undefined) this.#forms.set(stem, [number])
    else forms.push(number)
    return number
  }

  /** The numbers of the words that share a stem. */
  formsOf(stem: string): readonly number[] {
    return this.#forms.get(stem) ?? []
  }

  find(surface: string): number | undefined {
    return this.#numbers.get(surface)
  }
}
