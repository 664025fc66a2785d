import { type HarnessContext, planIdOf, type PlanHead, readPlan } from './harness-context.ts'
import { PlanEndings } from './plan-endings.ts'
import { isPlanOver } from './pure/plan-transitions.ts'

/** Resolves with the plan once it has ended. It waits on the feed, so any process may end the plan. */
export async function awaitPlan(context: HarnessContext, planId: string, signal?: AbortSignal): Promise<PlanHead> {
  const { store, owner } = context
  const id = planIdOf(planId)
  const watch = await PlanEndings.of(store.log, owner).watch(id)
  const stop = (): void => watch.giveUp(signal?.reason)
  try {
    const head = await readPlan(context, id)
    if (isPlanOver(head.payload.status)) return head
    signal?.throwIfAborted()
    signal?.addEventListener('abort', stop, { once: true })
    await watch.ended
    // If the store was closed while waiting, the newest version that can be read is returned.
    return await readPlan(context, id)
  } finally {
    signal?.removeEventListener('abort', stop)
    watch.close()
  }
}
