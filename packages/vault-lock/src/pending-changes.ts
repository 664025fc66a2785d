/** Changes of one text that wait for the lock together: whoever gets it takes all that came until then. */
import type { Change } from '@agentm/storage-seam'
import type { ChangeOutcome } from './pure/fold-changes.ts'

/** The callers that wait for one key. */
export interface PendingBatch {
  /** From here on a newcomer starts a batch of its own: these changes are being counted. */
  take(): readonly Change[]
  /** Tells each what came of it, in order. */
  settle(outcomes: readonly ChangeOutcome[]): void
}

interface Pending {
  readonly change: Change
  readonly resolve: (text: string | undefined) => void
  readonly reject: (error: unknown) => void
}

export class PendingChanges {
  readonly #batches = new Map<string, Pending[]>()

  /** `serve` is called for the first of a batch only, and settles all of it, or fails for all. */
  add(key: string, change: Change, serve: (batch: PendingBatch) => Promise<void>): Promise<string | undefined> {
    return new Promise((resolve, reject) => {
      const pending = { change, resolve, reject }
      const waiting = this.#batches.get(key)
      if (waiting !== undefined) {
        waiting.push(pending)
        return
      }
      const batch = [pending]
      this.#batches.set(key, batch)
      serve(this.#offer(key, batch)).catch((error: unknown) => {
        this.#close(key, batch)
        for (const each of batch) each.reject(error)
      })
    })
  }

  #offer(key: string, batch: readonly Pending[]): PendingBatch {
    return {
      take: () => {
        this.#close(key, batch)
        return batch.map(({ change }) => change)
      },
      settle: (outcomes) => {
        batch.forEach(({ resolve, reject }, i) => {
          const outcome = outcomes[i]
          if (outcome?.ok === true) resolve(outcome.text)
          else reject(outcome?.error)
        })
      },
    }
  }

  #close(key: string, batch: readonly Pending[]): void {
    if (this.#batches.get(key) === batch) this.#batches.delete(key)
  }
}
