/** Queued changes of one text. The first caller that gets the lock applies every change that was queued by then. */
import type { Change } from '@agentm/storage-seam'
import type { ChangeOutcome } from './pure/fold-changes.ts'

/** The callers that wait for one key. */
export interface PendingBatch {
  /** Closes the batch and returns its changes. A later change starts a new batch. */
  take(): readonly Change[]
  /** Reports the outcome to each caller, in the order of the changes. */
  settle(outcomes: readonly ChangeOutcome[]): void
}

interface Pending {
  readonly change: Change
  readonly resolve: (text: string | undefined) => void
  readonly reject: (error: unknown) => void
}

export class PendingChanges {
  readonly #batches = new Map<string, Pending[]>()

  /**
   * Calls `serve` only for the first change of a batch. `serve` must settle the whole batch; if it throws, every change of the batch fails.
   */
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
