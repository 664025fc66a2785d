/**
 * One running step of this process. Every write of the run expects the version that its claim made. Once another worker has
 * written the step, all further writes of this run are refused.
 */
import { type Draft, type Durability, isNodesError, type Node } from '@agentm/nodes'
import type { HarnessContext, StepHead } from './harness-context.ts'
import { FencedError } from './harness-errors.ts'
import { freedDraft } from './pure/step-drafts.ts'

export class Claim {
  readonly step: StepHead
  readonly #context: HarnessContext
  /** Made only on demand, because most runs never use their signal. */
  #controller: AbortController | undefined
  #ending: Error | undefined
  #told: (() => void) | undefined
  #news: (() => void) | undefined
  readonly #resumed = new Set<() => void>()
  #fence: number
  #paused = false
  /** Writes of this claim are made one after the other, so that each knows the version that the previous one made. */
  #writing: Promise<unknown> = Promise.resolve()

  constructor(context: HarnessContext, step: StepHead) {
    this.#context = context
    this.step = step
    this.#fence = step.version
  }

  get context(): HarnessContext {
    return this.#context
  }

  get fence(): number {
    return this.#fence
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController()
      if (this.#ending !== undefined) this.#controller.abort(this.#ending)
    }
    return this.#controller.signal
  }

  /** Why the run was asked to end; `undefined` while it was not asked. */
  get ending(): Error | undefined {
    return this.#ending
  }

  /** Calls `told` each time that a message to the step arrives, or a plan that it started ends. */
  onNews(told: () => void): void {
    this.#news = told
  }

  tellNews(): void {
    this.#news?.()
  }

  /** Calls `told` once the run is asked to end, or at once if that has already happened. */
  whenEnding(told: () => void): void {
    if (this.#ending === undefined) this.#told = told
    else told()
  }

  get isPaused(): boolean {
    return this.#paused
  }

  end(reason: Error): void {
    if (this.#ending === undefined) {
      this.#ending = reason
      this.#controller?.abort(reason)
      this.#told?.()
    }
    this.pause(false)
  }

  pause(paused: boolean): void {
    this.#paused = paused
    if (paused) return
    for (const resume of this.#resumed) resume()
    this.#resumed.clear()
  }

  async resumed(): Promise<void> {
    if (this.#paused) await new Promise<void>((resolve) => this.#resumed.add(resolve))
  }

  /** Compares the version of the step in the store with the fence. If they differ, the claim ends. */
  async compare(version: number | undefined): Promise<void> {
    await this.#writing
    if (version === undefined) this.end(this.#fenced('the store no longer knows it as running'))
    else if (version > this.#fence) this.end(this.#fenced(`the step is at version ${version} by now`))
  }

  /** Writes in the name of the claim. Throws `FENCED` if the claim is lost. */
  async write(drafts: readonly Draft[], options: ClaimWrite = {}): Promise<readonly Node[]> {
    const turn = this.#writing.then(() => this.#write(drafts, options))
    this.#writing = turn.catch(() => undefined)
    return turn
  }

  async #write(drafts: readonly Draft[], { durability = 'normal' }: ClaimWrite): Promise<readonly Node[]> {
    const { store, owner, actor } = this.#context
    const { id, partition } = this.step
    try {
      const nodes = await store.log.append(drafts, {
        owner,
        actor,
        partition,
        durability,
        expects: { [id]: this.#fence },
        freed: freedDraft,
      })
      for (const node of nodes) if (node.id === id) this.#fence = node.version
      return nodes
    } catch (error) {
      if (!isNodesError(error, 'VERSION_CONFLICT')) throw error
      const fenced = this.#fenced('somebody else wrote it', error)
      this.end(fenced)
      throw fenced
    }
  }

  #fenced(why: string, cause?: unknown): FencedError {
    return new FencedError(this.step.id, this.#fence, why, cause === undefined ? {} : { cause })
  }
}

export interface ClaimWrite {
  readonly durability?: Durability
}
