/** Makes missing vectors while a host is not waiting for them. What is left when it ends stays in memory's own backlog. */
import type { Memory } from '@agentm/memory'

export interface BackgroundDrain {
  /** Does nothing while it runs already. */
  start(): void
  stop(): Promise<void>
}

export function backgroundDrain(memory: Pick<Memory, 'embedPending'>): BackgroundDrain {
  const stopping = new AbortController()
  let running: Promise<void> | undefined
  return {
    start() {
      running ??= drain(memory, stopping.signal).finally(() => {
        running = undefined
      })
    },
    async stop() {
      stopping.abort()
      await running
    },
  }
}

async function drain(memory: Pick<Memory, 'embedPending'>, signal: AbortSignal): Promise<void> {
  try {
    await memory.embedPending({ budgetMs: 5_000, signal })
  } catch {
    // Runs in the background, so an error is ignored: the backlog stays, recall shows its size, and `agentm reindex` prints the
    // error.
  }
}
