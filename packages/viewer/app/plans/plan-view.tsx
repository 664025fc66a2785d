/** One plan: its goal, what it used, and its steps as a timeline or as a graph. */
import { useComputed, useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import type { PlanFacts, StepRow } from '../../src/contract/plans.ts'
import { useNow } from '../clock.ts'
import { type HeldPlan, PlanStore } from './plan-store.ts'
import { criticalPath } from './pure/critical-path.ts'
import { agoWords, shortId, spanWords } from '../pure/words.ts'
import { compareAddress, planAddress, query, setQuery } from '../router.ts'
import { AskCards } from './plan-asks.tsx'
import { CopyCommand } from '../views/copy-command.tsx'
import { Empty } from '../views/empty.tsx'
import { ForkDialog } from './fork-dialog.tsx'
import { Graph } from './graph.tsx'
import { Icon, StatusMark } from '../views/icons.tsx'
import { Meters } from './meters.tsx'
import { PlanActions } from './plan-actions.tsx'
import { StepPanel } from './step-panel.tsx'
import { Timeline } from './timeline.tsx'
import { Value } from '../views/value.tsx'

export interface PlanViewProps {
  readonly id: string
  readonly as: 'timeline' | 'graph'
  readonly step: string | undefined
}

export function PlanView({ id, as, step }: PlanViewProps) {
  const store = useMemo(() => new PlanStore(id), [id])
  useEffect(() => () => store.close(), [store])
  const held = store.held.value
  const error = store.error.value
  useEffect(() => {
    if (held !== undefined) document.title = `${held.plan.goal.slice(0, 80)} · agentm`
  }, [held?.plan.goal])
  if (held === undefined && error === undefined) return <Loading />
  if (held === undefined)
    return (
      <Empty title="This plan cannot be shown">
        <p>{error?.message}</p>
        <a class="button" href="/plans">
          Show all plans
        </a>
      </Empty>
    )
  return <Opened store={store} held={held} as={as} step={step} />
}

interface OpenedProps extends Omit<PlanViewProps, 'id'> {
  readonly store: PlanStore
  readonly held: HeldPlan
}

function Opened({ store, held, as, step }: OpenedProps) {
  const { plan, steps } = held
  const words = useSignal('')
  const states = useSignal<ReadonlySet<string>>(new Set())
  const shown = useComputed(() => matching(store.held.value?.steps ?? new Map(), words.value, states.value))
  const isMoving = plan.endedAt === undefined
  // What is running counts until now, which need not be exact to the second.
  const critical = useMemo(() => new Set(criticalPath(steps, plan.endedAt ?? Date.now())), [steps, plan.endedAt])
  const hasFailed = useMemo(() => [...steps.values()].some(({ status }) => status === 'failed'), [steps])
  const onlyCritical = query.value.get('path') === 'critical'
  const rows = useMemo(
    () => (onlyCritical ? shown.value.filter(({ id }) => critical.has(id)) : shown.value),
    [shown.value, onlyCritical, critical],
  )
  return (
    <div class={step === undefined ? 'plan' : 'plan has-panel'}>
      <div class="plan-main">
        <PlanHead plan={plan} steps={steps} isMoving={isMoving} hasFailed={hasFailed} />
        <Meters plan={plan} steps={steps} standing={store.standing.value} />
        <AskCards store={store} held={held} />
        <nav class="tabs" aria-label="Ways to look at this plan">
          <a href={planAddress(plan.id, 'timeline', step)} aria-current={as === 'timeline' ? 'page' : undefined}>
            Timeline
          </a>
          <a href={planAddress(plan.id, 'graph', step)} aria-current={as === 'graph' ? 'page' : undefined}>
            Graph
          </a>
        </nav>
        <div class="toolbar">
          <label class="search">
            <Icon name="search" />
            <span class="only-read">Search steps</span>
            <input
              type="search"
              placeholder="Search steps"
              value={words.value}
              onInput={({ currentTarget }) => (words.value = currentTarget.value)}
            />
          </label>
          <StateChips steps={steps} chosen={states.value} choose={(next) => (states.value = next)} />
          {critical.size > 0 && (
            <button
              type="button"
              class="chip is-critical"
              aria-pressed={onlyCritical}
              title="The steps that decided how long the plan took: making any other step faster would not make the plan faster."
              onClick={() => setQuery('path', onlyCritical ? '' : 'critical')}
            >
              Critical path <span class="chip-count">{critical.size}</span>
            </button>
          )}
        </div>
        {steps.size === 0 ? (
          <Empty title="This plan has no steps yet">
            <p>They appear here as soon as they are planned.</p>
          </Empty>
        ) : as === 'graph' ? (
          <Graph plan={plan} steps={steps} shown={rows} critical={critical} chosen={step} />
        ) : (
          <Timeline plan={plan} rows={rows} critical={critical} chosen={step} />
        )}
        <Details plan={plan} />
      </div>
      <ForkDialog />
      {step !== undefined && <StepPanel key={step} id={step} plan={plan} as={as} store={store} steps={steps} />}
    </div>
  )
}

interface PlanHeadProps {
  readonly plan: PlanFacts
  readonly steps: ReadonlyMap<string, StepRow>
  readonly isMoving: boolean
  readonly hasFailed: boolean
}

function PlanHead({ plan, steps, isMoving, hasFailed }: PlanHeadProps) {
  const now = useNow(isMoving)
  const status = plan.paused && isMoving ? 'paused' : plan.status
  const took = plan.startedAt === undefined ? undefined : (plan.endedAt ?? now) - plan.startedAt
  return (
    <header class="plan-head">
      <p class="crumbs">
        <a href="/plans">Plans</a>
        <span aria-hidden="true"> / </span>
        <code>{shortId(plan.id)}</code>
      </p>
      <h1>{plan.goal}</h1>
      <p class="meta">
        <StatusMark status={status} word />
        {plan.project !== '' && <span>{plan.project}</span>}
        <span title={new Date(plan.createdAt).toLocaleString()}>created {agoWords(plan.createdAt, now)}</span>
        {took !== undefined && <span>{isMoving ? `running for ${spanWords(took)}` : `took ${spanWords(took)}`}</span>}
        {plan.parentPlanId !== undefined && (
          <a href={planAddress(plan.parentPlanId, 'timeline', plan.parentStepId)}>started by a step of another plan</a>
        )}
        {plan.follows !== undefined && <a href={planAddress(plan.follows)}>replaces an earlier plan</a>}
        {plan.forkedFrom !== undefined && (
          <a href={planAddress(plan.forkedFrom)}>runs {shortId(plan.forkedFrom)} again</a>
        )}
      </p>
      {plan.errorMessage !== undefined && plan.status === 'failed' && (
        <p class="banner is-failed">{plan.errorMessage}</p>
      )}
      {plan.paused && isMoving && (
        <p class="banner is-paused">
          Paused{plan.actor !== undefined && ` by ${plan.actor}`}
          {plan.reason !== undefined && `: ${plan.reason}`}. Running steps may finish; no other step starts.
        </p>
      )}
      {plan.halting !== undefined && isMoving && (
        <p class="banner is-failed">
          A budget is used up ({plan.halting}): running steps may finish, and then the plan fails.
        </p>
      )}
      <div class="head-actions">
        <PlanActions plan={plan} steps={steps} hasFailed={hasFailed} />
        <CompareLinks plan={plan} />
        <CopyCommand words={`${isMoving ? 'status' : 'trace'} ${shortId(plan.id)}`} />
      </div>
    </header>
  )
}

/** With the plan that this one comes from, and with any other. */
function CompareLinks({ plan: { id, forkedFrom, follows } }: { readonly plan: PlanFacts }) {
  const earlier = forkedFrom ?? follows
  return (
    <div class="buttons is-left">
      {earlier !== undefined && (
        <a class="button" href={compareAddress(earlier, id)}>
          Compare with {shortId(earlier)}
        </a>
      )}
      <a class="button" href={compareAddress(id)}>
        Compare with…
      </a>
    </div>
  )
}

const chipOrder = ['running', 'blocked', 'failed', 'ready', 'pending', 'done'] as const

interface StateChipsProps {
  readonly steps: ReadonlyMap<string, StepRow>
  readonly chosen: ReadonlySet<string>
  readonly choose: (next: ReadonlySet<string>) => void
}

function StateChips({ steps, chosen, choose }: StateChipsProps) {
  const counts = useMemo(() => countByStatus(steps), [steps])
  const toggle = (status: string) => {
    const next = new Set(chosen)
    if (!next.delete(status)) next.add(status)
    choose(next)
  }
  return (
    <div class="chips" role="group" aria-label="Show only steps that are">
      {chipOrder.map(
        (status) =>
          (counts.get(status) ?? 0) > 0 && (
            <button
              key={status}
              type="button"
              class="chip"
              aria-pressed={chosen.has(status)}
              onClick={() => toggle(status)}
            >
              <i class={`dot is-${status}`} aria-hidden="true" />
              {status} <span class="chip-count">{counts.get(status)?.toLocaleString('en')}</span>
            </button>
          ),
      )}
    </div>
  )
}

function Details({ plan }: { readonly plan: PlanFacts }) {
  if (plan.input === undefined && plan.result === undefined) return null
  return (
    <section class="plan-details" aria-label="Input and result">
      {plan.input !== undefined && (
        <details>
          <summary>Input of the plan</summary>
          <Value value={plan.input} />
        </details>
      )}
      {plan.result !== undefined && (
        <details open>
          <summary>Result of the plan</summary>
          <Value value={plan.result} />
        </details>
      )}
    </section>
  )
}

function Loading() {
  return (
    <div class="plan" aria-busy="true">
      <p class="crumbs">
        <a href="/plans">Plans</a>
      </p>
      <p class="meta">Reading the plan…</p>
    </div>
  )
}

function countByStatus(steps: ReadonlyMap<string, StepRow>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { status } of steps.values()) counts.set(status, (counts.get(status) ?? 0) + 1)
  return counts
}

function matching(steps: ReadonlyMap<string, StepRow>, words: string, states: ReadonlySet<string>): readonly StepRow[] {
  const parts = words
    .toLowerCase()
    .split(/\s+/)
    .filter((part) => part !== '')
  const all = [...steps.values()]
  if (parts.length === 0 && states.size === 0) return all
  return all.filter((step) => {
    if (states.size > 0 && !states.has(step.status)) return false
    const text = `${step.title} ${step.kind} ${step.id} ${step.errorMessage ?? ''}`.toLowerCase()
    return parts.every((part) => text.includes(part))
  })
}
