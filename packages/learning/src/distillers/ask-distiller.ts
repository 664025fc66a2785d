/**
 * Asks a distiller about many clusters with few questions. A group that gets no answer is split, so that one cluster which no
 * model will answer holds back itself alone; where nothing is answered any more, the distiller is away and is left in peace.
 */
import type { Distilled, Distiller, DistillRequest } from './distiller.ts'

export interface Asking {
  readonly distiller: Distiller
  /** Called between questions; throws where the run must end. */
  readonly between: () => Promise<void>
}

/** More than one cluster that cannot be answered costs on the way to it, halved again and again. */
const failuresOfAbsence = 7
// Of all that one question shows.
const [mostRequests, mostCharacters] = [20, 40_000]

export class DistillerLine {
  readonly #asking: Asking
  #failures = 0

  constructor(asking: Asking) {
    this.#asking = asking
  }

  /** It has answered nothing for a while. */
  get isAway(): boolean {
    return this.#failures >= failuresOfAbsence
  }

  /** One answer, or why there is none, for each request, in their order and as they come. */
  async *ask(requests: readonly DistillRequest[]): AsyncGenerator<Distilled | Error> {
    for (const group of this.#groups(requests)) yield* await this.#askGroup(group)
  }

  #groups(requests: readonly DistillRequest[]): readonly (readonly DistillRequest[])[] {
    const { distiller } = this.#asking
    const groups: DistillRequest[][] = []
    let characters = 0
    for (const request of requests) {
      const size = sizeOf(request)
      const group = groups.at(-1)
      const fits = group !== undefined && group.length < mostRequests && characters + size <= mostCharacters
      if (fits && distiller.distillAll !== undefined) group.push(request)
      else groups.push([request])
      characters = fits ? characters + size : size
    }
    return groups
  }

  async #askGroup(group: readonly DistillRequest[]): Promise<readonly (Distilled | Error)[]> {
    const away = 'the distiller does not answer any more'
    if (this.isAway) return group.map(() => new Error(away))
    await this.#asking.between()
    try {
      const answers = await this.#answersTo(group)
      this.#failures = 0
      return group.map((_, i) => answers[i] ?? new Error('the distiller left it out'))
    } catch (error) {
      // Whoever ended the run is no distiller's fault.
      group[0]?.signal.throwIfAborted()
      this.#failures += 1
      if (group.length === 1) return [error instanceof Error ? error : new Error(String(error))]
      const half = Math.ceil(group.length / 2)
      return [...(await this.#askGroup(group.slice(0, half))), ...(await this.#askGroup(group.slice(half)))]
    }
  }

  async #answersTo(group: readonly DistillRequest[]): Promise<readonly (Distilled | Error)[]> {
    const { distiller } = this.#asking
    const [only] = group
    if (distiller.distillAll !== undefined) return distiller.distillAll(group)
    return only === undefined ? [] : [await distiller.distill(only)]
  }
}

function sizeOf({ episodes, existingHints }: DistillRequest): number {
  return [...episodes, ...existingHints].reduce((sum, { content }) => sum + content.length + 50, 0)
}
