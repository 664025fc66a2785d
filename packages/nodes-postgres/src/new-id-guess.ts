/**
 * Whether ids that a caller named are new, guessed from the last appends of the same concepts. A right guess saves the
 * question that would have found nothing; the append itself looks, so a wrong one costs a round trip and no more.
 */
import type { KnownHead, PreparedAppend } from '@agentm/nodes'

export class NewIdGuess {
  readonly #inARow = new Map<string, number>()

  /** Only what is judged by nothing but itself can be written unseen. */
  saysNew({ drafts, reads, expects }: PreparedAppend): boolean {
    if (reads.length > 0 || expects.size > 0) return false
    return drafts.every(({ concept, update }) => !update && (this.#inARow.get(concept.name) ?? 0) >= enough)
  }

  wasWrong({ drafts }: PreparedAppend): void {
    for (const { concept } of drafts) this.#inARow.delete(concept.name)
  }

  /** What a look has shown. */
  learn({ drafts }: PreparedAppend, known: ReadonlyMap<string, KnownHead>): void {
    const old = new Set(drafts.filter(({ id }) => known.has(id)).map(({ concept }) => concept.name))
    for (const name of new Set(drafts.map(({ concept }) => concept.name)))
      if (old.has(name)) this.#inARow.delete(name)
      else this.#inARow.set(name, (this.#inARow.get(name) ?? 0) + 1)
  }
}

const enough = 4
