/**
 * Asks a distiller about many clusters in few questions. If a group gets no answer, it is split, so that a cluster without an
 * answer does not block the others. If several questions in a row fail, the distiller counts as unavailable and is not asked any
 * more.
 */
import type { Distilled, Distiller, DistillRequest } from './distiller.ts'

export interface Asking {
  readonly distiller: Distiller
  /** Called between questions. Throws if the run must end. */
  readonly between: () => Promise<void>
}

/** More failures than one bad cluster causes when its group is halved again and again. */
const failuresOfAbsence = 7
// The limits of one question.
const [mostRequests, mostCharacters] = [20, 40_000]

export class DistillerLine {
  readonly #asking: Asking
  #failures = 0

  constructor(asking: Asking) {
    this.#asking = asking
  }

  /** Whether so many questions failed that the distiller counts as unavailable. */
  get isAway(): boolean {
    return this.#failures >= failuresOfAbsence
  }

  /** One answer or error for each request, in order, as they arrive. */
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
      // If the run was aborted, the distiller is not to blame.
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
