/** The plans that one can be compared with: those that belong to it first, then the others, the last changed first. */
import { useEffect, useState } from 'preact/hooks'
import type { PlanList, PlanPage, PlanRow } from '../../src/contract/plans.ts'
import { ask } from '../api.ts'
import { agoWords, shortId } from '../pure/words.ts'
import { compareAddress, planAddress } from '../router.ts'
import { Empty } from '../views/empty.tsx'
import { Icon, StatusMark } from '../views/icons.tsx'

const mostShown = 50

interface Choice {
  readonly page: PlanPage
  readonly list: PlanList
}

export function CompareChoice({ id }: { readonly id: string }) {
  const [choice, setChoice] = useState<Choice | undefined>(undefined)
  const [error, setError] = useState<string | undefined>(undefined)
  const [words, setWords] = useState('')
  useEffect(() => {
    document.title = 'Compare with · agentm'
    const end = new AbortController()
    const address = `/api/plans/${encodeURIComponent(id)}`
    Promise.all([ask<PlanPage>(address, end.signal), ask<PlanList>('/api/plans', end.signal)]).then(
      ([page, list]) => setChoice({ page, list }),
      (failed: unknown) => {
        if (!end.signal.aborted) setError(failed instanceof Error ? failed.message : String(failed))
      },
    )
    return () => end.abort()
  }, [id])
  if (error !== undefined)
    return (
      <Empty title="This plan cannot be compared">
        <p>{error}</p>
      </Empty>
    )
  if (choice === undefined) return <p class="meta">Reading the plans…</p>
  const { plan } = choice.page
  const parts = words.toLowerCase().split(/\s+/)
  const others = choice.list.plans
    .filter((one) => one.id !== id)
    .filter(({ goal, id: other }) => parts.every((part) => `${goal} ${other}`.toLowerCase().includes(part)))
    .toSorted((a, b) => nearness(b, plan) - nearness(a, plan))
  return (
    <>
      <header class="plan-head">
        <p class="crumbs">
          <a href="/plans">Plans</a>
          <span aria-hidden="true"> / </span>
          <a href={planAddress(id)}>{shortId(id)}</a>
        </p>
        <h1>Compare “{plan.goal}” with</h1>
      </header>
      <div class="toolbar">
        <label class="search">
          <Icon name="search" />
          <span class="only-read">Search plans</span>
          <input
            type="search"
            placeholder="Search plans"
            value={words}
            onInput={({ currentTarget }) => setWords(currentTarget.value)}
          />
        </label>
      </div>
      {others.length === 0 && (
        <Empty title="There is no other plan">
          <p>Run this one again from one of its steps, and compare both.</p>
        </Empty>
      )}
      <ul class="plan-list">
        {others.slice(0, mostShown).map((other) => (
          <li key={other.id} class="plan-row">
            <StatusMark status={other.status} />
            <div class="plan-what">
              <a href={compareAddress(...inOrder(plan, other))} class="plan-goal row-link">
                {other.goal}
              </a>
              <p class="meta">
                <code>{shortId(other.id)}</code>
                <span>changed {agoWords(other.changedAt, choice.page.now)}</span>
              </p>
            </div>
          </li>
        ))}
      </ul>
    </>
  )
}

/** The plan that this one comes from, then plans for the same goal. */
function nearness({ id, goal }: PlanRow, plan: PlanPage['plan']): number {
  if (id === plan.forkedFrom || id === plan.follows) return 2
  return goal === plan.goal ? 1 : 0
}

/** The plan that this one comes from stands on the left. */
function inOrder(plan: PlanPage['plan'], { id }: PlanRow): readonly [a: string, b: string] {
  return id === plan.forkedFrom || id === plan.follows ? [id, plan.id] : [plan.id, id]
}
