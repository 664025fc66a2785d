/**
 * Computes missing vectors. The recall store keeps the list of waiting texts, so a crash loses none. After a failure the embedder
 * is not called for a while, longer each time; the next process waits, too. A text that the embedder refuses does not delay the
 * others.
 */
import type { PendingItem } from '@agentm/nodes'
import { noteBacklog, type VectorBacklog } from '../index/note-backlog.ts'
import type { MemoryContext } from '../memory-context.ts'
import type { MemoryEmbedder } from './memory-embedder.ts'
import { EmbedderFailedError, isMemoryError } from '../memory-errors.ts'
import { type Backoff, nextBackoff, parseBackoff, withoutRefusals, withRefused } from './pure/backoff.ts'

export interface EmbedOptions {
  /** The most texts to return. */
  readonly limit?: number
  readonly budgetMs?: number
  /** The most time for one request (default: the embedder's own limit). Longer counts as a failure of the embedder. */
  readonly patienceMs?: number
  /** Calls the embedder even if it failed a moment ago. */
  readonly force?: boolean
  readonly signal?: AbortSignal
  readonly onProgress?: (done: number, total: number) => void
}

export interface EmbedReport {
  readonly embedded: number
  /** How many texts still wait, including those that the embedder refused. */
  readonly waiting: number
  readonly refused: number
  readonly failure?: string
  /** When the embedder is called again, in epoch milliseconds. */
  readonly retryAt?: number
}

const batch = 32

export async function embedPending(context: MemoryContext, options: EmbedOptions = {}): Promise<EmbedReport> {
  const { embedder } = context
  if (embedder === undefined) return { embedded: 0, waiting: 0, refused: 0 }
  const backoff = await readBackoff(context, embedder)
  if (!options.force && backoff.retryAt > context.runtime.now()) return report(context, embedder, backoff, 0)
  return new Drain(context, embedder, options, backoff).run()
}

/** How many texts wait, and when the embedder is called again. */
export async function backlogOf(context: MemoryContext): Promise<EmbedReport> {
  const { embedder } = context
  if (embedder === undefined) return { embedded: 0, waiting: 0, refused: 0 }
  return report(context, embedder, await readBackoff(context, embedder), 0)
}

class Drain {
  readonly #context: MemoryContext
  readonly #embedder: MemoryEmbedder
  readonly #options: EmbedOptions
  readonly #until: number
  #backoff: Backoff
  #embedded = 0
  #refusedNow = 0

  constructor(context: MemoryContext, embedder: MemoryEmbedder, options: EmbedOptions, backoff: Backoff) {
    this.#context = context
    this.#embedder = embedder
    this.#options = options
    this.#until = context.runtime.now() + (options.budgetMs ?? Infinity)
    this.#backoff = backoff
  }

  async run(): Promise<EmbedReport> {
    try {
      for (const store of storesOf(this.#context, this.#embedder)) await this.#drain(store)
      await this.#remember({ ...this.#backoff, failures: 0, retryAt: 0, failure: undefined })
    } catch (error) {
      // Who stopped it did not fail.
      if (this.#options.signal?.aborted === true)
        return report(this.#context, this.#embedder, this.#backoff, this.#embedded)
      const { runtime } = this.#context
      const failure = error instanceof Error ? error.message : String(error)
      await this.#remember(nextBackoff(this.#backoff, { now: runtime.now(), chance: runtime.random(), failure }))
    }
    return report(this.#context, this.#embedder, this.#backoff, this.#embedded)
  }

  async #drain(store: VectorBacklog): Promise<void> {
    const { owner } = this.#context
    for (;;) {
      const skipped = this.#backoff.refused
      const limit = batch + skipped.length
      const { items, total } = await store.pending({ embedder: this.#embedder.name, owner, limit })
      const next = items
        .filter((item) => !skipped.includes(refusalOf(item)) && item.text.trim() !== '')
        .slice(0, this.#room())
      if (next.length === 0 || this.#isOver()) return
      this.#options.onProgress?.(this.#embedded, this.#embedded + total)
      const stored = await this.#embed(store, next)
      // No vector was stored: another process was faster, or the items changed. Continuing would repeat the same batch for ever.
      if (stored === 0 && this.#backoff.refused === skipped) return
    }
  }

  async #embed(store: VectorBacklog, items: readonly PendingItem[]): Promise<number> {
    try {
      const values = await this.#valuesOf(items.map(({ text }) => text))
      const vectors = items.flatMap(({ id, revision }, i) => {
        const found = values[i]
        return found === undefined || isZero(found) ? [] : [{ id, revision, values: found }]
      })
      for (const [i, item] of items.entries()) if (isZero(values[i] ?? [])) this.#refuse(item)
      const stored = vectors.length === 0 ? 0 : await store.putVectors(this.#embedder, vectors)
      this.#embedded += stored
      return stored
    } catch (error) {
      if (!isMemoryError(error, 'EMBEDDER_FAILED') || !('fault' in error) || error.fault !== 'input') throw error
      return this.#divide(store, items, error)
    }
  }

  async #valuesOf(texts: readonly string[]): Promise<readonly ArrayLike<number>[]> {
    const { signal, patienceMs } = this.#options
    const late = patienceMs === undefined ? [] : [AbortSignal.timeout(patienceMs)]
    try {
      return await this.#embedder.embed(texts, 'document', AbortSignal.any([...late, ...(signal ? [signal] : [])]))
    } catch (cause) {
      if (late[0]?.aborted !== true) throw cause
      throw new EmbedderFailedError(this.#embedder.name, 'it took too long.', { fault: 'service', cause })
    }
  }

  /** One text that the embedder cannot process fails its whole batch. Halving the batch finds the text, and it is set aside. */
  async #divide(store: VectorBacklog, items: readonly PendingItem[], error: unknown): Promise<number> {
    const [only] = items
    if (only === undefined) return 0
    if (items.length > 1) {
      const half = Math.ceil(items.length / 2)
      return (await this.#embed(store, items.slice(0, half))) + (await this.#embed(store, items.slice(half)))
    }
    this.#refuse(only)
    this.#refusedNow += 1
    // If it refuses every text, the embedder is at fault and not each text.
    if (this.#embedded === 0 && this.#refusedNow >= batch) {
      this.#backoff = withoutRefusals(this.#backoff, this.#refusedNow)
      throw error
    }
    return 0
  }

  #refuse(item: PendingItem): void {
    this.#backoff = withRefused(this.#backoff, refusalOf(item))
  }

  #room(): number {
    return Math.min(batch, (this.#options.limit ?? Infinity) - this.#embedded)
  }

  #isOver(): boolean {
    return this.#options.signal?.aborted === true || this.#context.runtime.now() >= this.#until
  }

  async #remember(backoff: Backoff): Promise<void> {
    this.#backoff = backoff
    await writeBackoff(this.#context, this.#embedder, backoff)
  }
}

function refusalOf({ id, revision }: PendingItem): string {
  return `${id}@${revision}`
}

function isZero(values: ArrayLike<number>): boolean {
  return Array.from(values).every((value) => value === 0)
}

export function storesOf(
  context: MemoryContext,
  { dimensions, averagesWords }: Pick<MemoryEmbedder, 'dimensions' | 'averagesWords'>,
): readonly VectorBacklog[] {
  const { recall } = context
  const notes = averagesWords === true ? [] : [noteBacklog(context, dimensions)]
  return [...notes, ...(recall === undefined ? [] : [recall])]
}

function stateKey({ name }: MemoryEmbedder): string {
  return `embedder-backoff/${encodeURIComponent(name)}`
}

export async function readBackoff(context: MemoryContext, embedder: MemoryEmbedder): Promise<Backoff> {
  return parseBackoff(await context.state.read(stateKey(embedder)))
}

export async function writeBackoff(context: MemoryContext, embedder: MemoryEmbedder, backoff: Backoff): Promise<void> {
  await context.state.write(stateKey(embedder), JSON.stringify(backoff))
}

async function report(
  context: MemoryContext,
  embedder: MemoryEmbedder,
  backoff: Backoff,
  embedded: number,
): Promise<EmbedReport> {
  const { owner } = context
  const counts = await Promise.all(
    storesOf(context, embedder).map(async (store) => store.pending({ embedder: embedder.name, owner, limit: 1 })),
  )
  return {
    embedded,
    waiting: counts.reduce((sum, { total }) => sum + total, 0),
    refused: backoff.refused.length,
    ...(backoff.failure === undefined ? {} : { failure: backoff.failure }),
    ...(backoff.retryAt === 0 ? {} : { retryAt: backoff.retryAt }),
  }
}
