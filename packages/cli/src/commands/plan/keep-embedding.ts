/**
 * Computes missing vectors of the log, a few at a time, while a worker runs, so that steps and observations are found by meaning. If
 * memory cannot be opened, the worker says so once and runs on.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Workspace } from '@agentm/workspace'

export interface KeepEmbedding {
  readonly workspace: Workspace
  readonly say: (text: string) => void
  readonly signal: AbortSignal
}

/** Short turns with pauses between them, because steps come first. */
const budgetMs = 1000
const pauseMs = 10_000

export async function keepEmbedding({ workspace, say, signal }: KeepEmbedding): Promise<void> {
  try {
    const memory = await workspace.memory()
    while (!signal.aborted) {
      await memory.embedPending({ budgetMs, signal })
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined)
    }
  } catch (error) {
    if (!signal.aborted)
      say(
        `This worker computes no vectors, because of an error: ${error instanceof Error ? error.message : String(error)}`,
      )
  }
}
