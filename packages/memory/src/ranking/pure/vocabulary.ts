/**
 * Gives each word a number. A note is split into words once and then read for every question. A number takes four bytes, and
 * comparing numbers is faster than comparing text.
 */
import type { Term } from './tokenize.ts'

/** Gives each word a number, which makes comparing many notes fast. */
export class Vocabulary {
  readonly #numbers = new Map<string, number>()
  readonly #forms = new Map<string, number[]>()

  /** The number of words. Each word number is smaller than this. */
  get size(): number {
    return this.#numbers.size
  }

  /** The number of a word. A new word gets the next number. */
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
