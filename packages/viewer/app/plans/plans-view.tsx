/** All plans, the last changed first, and above them what waits for a person. */
import { computed, signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Ask, AskList, PlanList, PlanRow } from '../../src/contract/plans.ts'
import { typed } from '../about.ts'
import { ask } from '../api.ts'
import { setClock, useNow } from '../clock.ts'
import { onNews } from '../live.ts'
import { tellPerson } from '../notices.ts'
import { askingPlans, filterPlans, fits, isFilter, type PlanFilter, planFilters } from './pure/filter-plans.ts'
import { agoWords, countOf, shortId, spanWords } from '../pure/words.ts'
import { planAddress, query } from '../router.ts'
import { AskCard } from './ask-card.tsx'
import { CopyCommand } from '../views/copy-command.tsx'
import { Empty } from '../views/empty.tsx'
import { Chips, Choice, SearchField } from '../views/filters.tsx'
import { StatusMark } from '../views/icons.tsx'
import { StepCounts } from './step-counts.tsx'

const list = signal<PlanList | undefined>(undefined)
const older = signal<readonly PlanRow[]>([])
const asks = signal<readonly Ask[]>([])
const asking = computed(() => askingPlans(asks.value))
const plans = computed(() => {
  const first = list.value?.plans ?? []
  const known = new Set(first.map(({ id }) => id))
  return [...first, ...older.value.filter(({ id }) => !known.has(id))]
})
const names: Readonly<Record<PlanFilter, string>> = {
  all: 'All',
  active: 'Active',
  you: 'Waits for you',
  failed: 'Failed',
  done: 'Done',
}

export function PlansView() {
  useEffect(() => {
    document.title = 'Plans · agentm'
    return keepFresh()
  }, [])
  if (list.value === undefined) return <Skeleton />
  if (plans.value.length === 0) return <NoPlans />
  return (
    <>
      <div class="page-head">
        <h1>Plans</h1>
        <CopyCommand words="status --all" />
      </div>
      {asks.value.length > 0 && <Asks />}
      <Filters />
      <List />
    </>
  )
}

function Asks() {
  const shown = asks.value.slice(0, 20)
  return (
    <section class="asks" aria-labelledby="asks-title">
      <h2 id="asks-title">
        {countOf(asks.value.length, 'question')} {asks.value.length === 1 ? 'waits' : 'wait'} for you
      </h2>
      <div class="ask-list">
        {shown.map((one) => (
          <AskCard key={`${one.stepId} ${one.questionId}`} ask={one} />
        ))}
      </div>
      {asks.value.length > shown.length && <p class="meta">and {asks.value.length - shown.length} more</p>}
    </section>
  )
}

function Filters() {
  const projects = [...new Set(plans.value.map(({ project }) => project))].filter((name) => name !== '').toSorted()
  const counted = (name: PlanFilter) =>
    plans.value.filter((plan) => fits(plan, { filter: name, asking: asking.value })).length
  return (
    <div class="filters" role="search">
      <SearchField label="Search plans" placeholder="Search goals, ids, errors" />
      <Chips
        name="show"
        label="Show"
        options={planFilters.map((name) => ({
          value: name === 'all' ? '' : name,
          title: names[name],
          count: counted(name),
        }))}
      />
      {projects.length > 1 && (
        <Choice
          name="project"
          label="Project"
          options={[{ value: '', title: 'All projects' }, ...projects.map((name) => ({ value: name, title: name }))]}
        />
      )}
    </div>
  )
}

function List() {
  const now = useNow()
  const shown = filterPlans(plans.value, {
    filter: filter(),
    words: query.value.get('q') ?? '',
    project: query.value.get('project') ?? '',
    asking: asking.value,
  })
  return (
    <section aria-label="Plans">
      <p class="only-read" role="status">
        {countOf(shown.length, 'plan')} shown
      </p>
      {shown.length === 0 && (
        <Empty title="No plan matches">
          <p>Try other words, or show all plans.</p>
          <a class="button" href="/plans">
            Show all plans
          </a>
        </Empty>
      )}
      <ul class="plan-list">
        {shown.map((plan) => (
          <Row key={plan.id} plan={plan} now={now} isAsking={asking.value.has(plan.id)} />
        ))}
      </ul>
      {list.value?.cursor !== undefined && (
        <button type="button" class="button more" onClick={() => void loadOlder()}>
          Show older plans
        </button>
      )}
    </section>
  )
}

function Row({ plan, now, isAsking }: { readonly plan: PlanRow; readonly now: number; readonly isAsking: boolean }) {
  const isOver = plan.endedAt !== undefined
  const status = isAsking && !isOver ? 'asks' : plan.paused && !isOver ? 'paused' : plan.status
  const took = plan.startedAt === undefined ? undefined : (plan.endedAt ?? now) - plan.startedAt
  return (
    <li class="plan-row">
      <StatusMark status={status} />
      <div class="plan-what">
        <a href={planAddress(plan.id)} class="plan-goal row-link">
          {plan.goal}
        </a>
        <p class="meta">
          <code>{shortId(plan.id)}</code>
          {plan.project !== '' && <span>{plan.project}</span>}
          <span>
            {isOver ? `${plan.status} ${agoWords(plan.endedAt, now)}` : `changed ${agoWords(plan.changedAt, now)}`}
          </span>
          {took !== undefined && <span>{isOver ? `took ${spanWords(took)}` : `running for ${spanWords(took)}`}</span>}
        </p>
        {plan.errorMessage !== undefined && plan.status === 'failed' && <p class="plan-error">{plan.errorMessage}</p>}
      </div>
      <StepCounts steps={plan.steps} />
    </li>
  )
}

function NoPlans() {
  return (
    <Empty title="No plans yet">
      <p>
        A plan is a goal with steps that survive crashes. Give agentm a goal, or write the steps yourself, and they
        appear here while they run.
      </p>
      <div class="commands">
        <CopyCommand words='do "Summarise what changed this week"' />
        <CopyCommand words="plan new --steps plan.yaml" />
      </div>
      <p class="meta">
        To see one at work right away: <code>{typed('demo')}</code>
      </p>
    </Empty>
  )
}

function Skeleton() {
  return (
    <div aria-busy="true">
      <div class="page-head">
        <h1>Plans</h1>
      </div>
      <ul class="plan-list is-loading" aria-hidden="true">
        {Array.from({ length: 6 }, (_, i) => (
          <li key={i} class="plan-row" />
        ))}
      </ul>
    </div>
  )
}

function filter(): PlanFilter {
  const word = query.value.get('show')
  return isFilter(word) ? word : 'all'
}

/** Reads the list now and after every news, one question at a time. */
function keepFresh(): () => void {
  let reading = false
  let isStale = true
  const end = new AbortController()
  const read = async () => {
    if (reading) return
    reading = true
    while (isStale && !end.signal.aborted) {
      isStale = false
      try {
        const [next, { asks: waiting }] = await Promise.all([
          ask<PlanList>('/api/plans', end.signal),
          ask<AskList>('/api/asks', end.signal),
        ])
        setClock(next.now)
        list.value = next
        asks.value = waiting
      } catch (error) {
        if (!end.signal.aborted) tellPerson(error instanceof Error ? error.message : String(error), true)
      }
      // A busy worker changes plans all the time; a list need not follow each change.
      if (isStale) await new Promise((resolve) => setTimeout(resolve, 500))
    }
    reading = false
  }
  const stop = onNews(() => {
    isStale = true
    void read()
  })
  void read()
  return () => {
    end.abort()
    stop()
  }
}

async function loadOlder(): Promise<void> {
  const cursor = list.value?.cursor
  if (cursor === undefined) return
  try {
    const page = await ask<PlanList>(`/api/plans?cursor=${encodeURIComponent(cursor)}`)
    older.value = [...older.value, ...page.plans]
    list.value = {
      plans: plans.peek(),
      hasLog: true,
      now: page.now,
      ...(page.cursor !== undefined && { cursor: page.cursor }),
    }
  } catch (error) {
    tellPerson(error instanceof Error ? error.message : String(error), true)
  }
}
