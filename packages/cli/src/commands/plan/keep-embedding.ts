/**
 * Makes the vectors that wait in the log, a little at a time, while a worker runs: what steps are called and what was observed
 * of them is found again by meaning. Nobody asked for it, so a memory that cannot be had is said once and not waited for.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Workspace } from '@agentm/workspace'

export interface KeepEmbedding {
  readonly workspace: Workspace
  readonly say: (text: string) => void
  readonly signal: AbortSignal
}

/** Steps come first: so much at once, and then a pause. */
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
    if (!signal.aborted) say(`No vectors are made here: ${error instanceof Error ? error.message : String(error)}`)
  }
}
