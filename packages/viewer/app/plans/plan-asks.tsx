/** What this plan asks a person now. */
import { useEffect, useState } from 'preact/hooks'
import type { Ask, AskList, StepRow } from '../../src/contract/plans.ts'
import { ask } from '../api.ts'
import type { HeldPlan, PlanStore } from './plan-store.ts'
import { AskCard } from './ask-card.tsx'

export function AskCards({ store, held }: { readonly store: PlanStore; readonly held: HeldPlan }) {
  const [asks, setAsks] = useState<readonly Ask[]>([])
  const isAsking = [...held.steps.values()].some(mayAsk)
  useEffect(() => {
    if (!isAsking) return setAsks([])
    const end = new AbortController()
    ask<AskList>('/api/asks', end.signal).then(
      ({ asks: all }) => setAsks(all.filter(({ planId }) => planId === store.id)),
      // The plan itself says what is wrong.
      () => undefined,
    )
    return () => end.abort()
  }, [isAsking, held.position])
  if (asks.length === 0) return null
  return (
    <section class="asks" aria-label="Questions for you">
      <div class="ask-list">
        {asks.map((one) => (
          <AskCard key={`${one.stepId} ${one.questionId}`} ask={one} />
        ))}
      </div>
    </section>
  )
}

/** A durable function may ask until it has ended, also while it runs. */
function mayAsk({ status, waitsFor, kind }: StepRow): boolean {
  if (kind.startsWith('function:')) return status !== 'done' && status !== 'pending'
  return status === 'blocked' && waitsFor === 'answer'
}
