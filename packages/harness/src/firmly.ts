/** Repeats a call of the store while the store is busy or cannot be reached. */
import type { Runtime } from '@agentm/agent-loop'
import { isNodesError } from '@agentm/nodes'
import { isHarnessError } from './harness-errors.ts'

const firstPauseMs = 50
const longestPauseMs = 2000

/** Until it succeeds, meets another error, or `isOver` says that the result is no longer wanted. */
export async function firmly<T>(
  call: () => Promise<T>,
  { runtime, isOver }: { readonly runtime: Pick<Runtime, 'sleep'>; readonly isOver: () => boolean },
): Promise<T> {
  for (let pause = firstPauseMs; ; pause = Math.min(pause * 2, longestPauseMs))
    try {
      return await call()
    } catch (error) {
      if (!isPassing(error) || isOver()) throw error
      await runtime.sleep(pause)
    }
}

function isPassing(error: unknown): boolean {
  if (isNodesError(error)) return error.code === 'STORE_BUSY' || error.code === 'STORE_FAULT'
  return !isHarnessError(error) && !(error instanceof TypeError)
}
