/** Everything about one step, beside the plan; on a narrow screen, over it. */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Observation, PlanFacts, StepPage, StepRow } from '../../src/contract/plans.ts'
import { ask } from '../api.ts'
import { useNow } from '../clock.ts'
import type { PlanStore } from './plan-store.ts'
import { waitWords } from './pure/wait-words.ts'
import { countOf, countWords, moneyWords, shortId, spanWords } from '../pure/words.ts'
import { go, planAddress } from '../router.ts'
import { AskCard } from './ask-card.tsx'
import { Attempts } from './attempts.tsx'
import { CopyCommand } from '../views/copy-command.tsx'
import { Icon, StatusMark } from '../views/icons.tsx'
import { Part } from '../views/part.tsx'
import { StepActions } from './step-actions.tsx'
import { Value } from '../views/value.tsx'

export interface StepPanelProps {
  readonly id: string
  readonly plan: PlanFacts
  readonly as: 'timeline' | 'graph'
  readonly store: PlanStore
  readonly steps: ReadonlyMap<string, StepRow>
}

export function StepPanel({ id, plan, as, store, steps }: StepPanelProps) {
  const { page, error } = useStep(id, store.held.value?.position ?? 0)
  const heading = useRef<HTMLHeadingElement>(null)
  const close = () => go(planAddress(plan.id, as))
  useEffect(() => {
    heading.current?.focus({ preventScroll: true })
    const leave = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && document.querySelector('dialog[open]') === null) close()
    }
    addEventListener('keydown', leave)
    return () => removeEventListener('keydown', leave)
  }, [id])
  const row = page?.row ?? steps.get(id)
  return (
    <aside class="panel" aria-labelledby="step-title">
      <div class="panel-head">
        <p class="crumbs">
          Step <code>{shortId(id)}</code>
        </p>
        <button type="button" class="icon-button" aria-label="Close the step" title="Close (Esc)" onClick={close}>
          <Icon name="close" />
        </button>
      </div>
      <h2 id="step-title" tabIndex={-1} ref={heading}>
        {row?.title ?? 'This step'}
      </h2>
      {error !== undefined && <p class="banner is-failed">{error}</p>}
      {row && <Facts row={row} />}
      {page && <Opened page={page} steps={steps} plan={plan} as={as} />}
    </aside>
  )
}

function Facts({ row }: { readonly row: StepRow }) {
  const status = row.status === 'blocked' && row.waitsFor === 'answer' ? 'asks' : row.status
  return (
    <p class="meta">
      <StatusMark status={status} word />
      <span>{row.kind}</span>
      {row.agent !== undefined && <span>agent {row.agent}</span>}
      {row.deadLetter === true && <span class="tag is-failed">dead-lettered</span>}
      {row.carriedFrom !== undefined && (
        <a href={planAddress(row.carriedFrom.planId, 'timeline', row.carriedFrom.stepId)}>
          carried over from {shortId(row.carriedFrom.planId)}
        </a>
      )}
    </p>
  )
}

type OpenedProps = Pick<StepPanelProps, 'steps' | 'plan' | 'as'> & { readonly page: StepPage }

function Opened({ page, steps, plan, as }: OpenedProps) {
  const now = useNow(page.row.segments.at(-1)?.[2] === null)
  const { row, failure, observations } = page
  const after = [...steps.values()].filter(({ dependsOn }) => dependsOn.includes(row.id))
  return (
    <>
      <div class="head-actions">
        <StepActions row={row} plan={plan} steps={steps} />
        <CopyCommand words={`status ${shortId(row.id)}`} />
      </div>
      {page.waits !== undefined && (
        <p class="banner">
          {waitWords(page.waits, now)}; {spanWords(now - page.waits.since)} so far.
        </p>
      )}
      {page.asks.map((one) => (
        <AskCard key={one.questionId} ask={one} hasLink={false} />
      ))}
      {row.errorMessage !== undefined && (
        <Part title={failure === undefined ? 'Error' : `Error: ${failure.cause}`}>
          <Value value={row.errorMessage} />
        </Part>
      )}
      <Used observations={observations} />
      <Attempts page={page} now={now} />
      {page.result !== undefined && (
        <Part title="Result">
          <Value value={page.result} />
        </Part>
      )}
      {page.input !== undefined && (
        <Part title="Input">
          <Value value={page.input} />
        </Part>
      )}
      {page.answers.length > 0 && (
        <Part title="Answers">
          <ul class="plain">
            {page.answers.map(({ value, actor, reason }, i) => (
              <li key={i}>
                <strong>{value}</strong>
                {actor !== undefined && ` by ${actor}`}
                {reason !== undefined && `: ${reason}`}
              </li>
            ))}
          </ul>
        </Part>
      )}
      {observations.length > 0 && (
        <Part title="What happened" count={observations.length}>
          {page.olderObservations && <p class="meta">Only the newest {observations.length} are shown.</p>}
          <ol class="observations">
            {observations.map((one, i) => (
              <Observed key={i} observation={one} start={plan.createdAt} />
            ))}
          </ol>
        </Part>
      )}
      <Neighbours title="Depends on" ids={row.dependsOn} steps={steps} planId={plan.id} as={as} />
      <Neighbours title="Needed by" ids={after.map(({ id }) => id)} steps={steps} planId={plan.id} as={as} />
      {Object.keys(page.limits).length > 0 && (
        <Part title="Limits and retries">
          <Value value={page.limits} />
        </Part>
      )}
      <details class="part">
        <summary>All {countOf(page.changes.length, 'version')}</summary>
        <ol class="changes">
          {page.changes.map(({ at, status, mutation, by, actor, reason, message }, i) => (
            <li key={i}>
              <time dateTime={new Date(at).toISOString()}>+{spanWords(at - plan.createdAt)}</time>{' '}
              <strong>{status}</strong> <code>{mutation}</code> <span class="quiet">by {actor ?? by}</span>
              {reason !== undefined && <p>{reason}</p>}
              {message !== undefined && <p class="is-failed">{message}</p>}
            </li>
          ))}
        </ol>
      </details>
    </>
  )
}

function Used({ observations }: { readonly observations: readonly Observation[] }) {
  const sum = (count: (one: Observation) => number): number =>
    observations.reduce((total, one) => total + count(one), 0)
  const [calls, tokens, cost] = [
    sum(({ toolCalls }) => toolCalls),
    sum(({ tokens: t }) => t),
    sum(({ costMicros }) => costMicros),
  ]
  if (calls + tokens + cost === 0) return null
  return (
    <dl class="meters is-small">
      <div class="meter">
        <dt>Tool calls</dt>
        <dd>{countWords(calls)}</dd>
      </div>
      <div class="meter">
        <dt>Tokens</dt>
        <dd>{countWords(tokens)}</dd>
      </div>
      <div class="meter">
        <dt>Cost</dt>
        <dd>{moneyWords(cost)}</dd>
      </div>
    </dl>
  )
}

function Observed({ observation: one, start }: { readonly observation: Observation; readonly start: number }) {
  const hasMore = one.args !== undefined || one.result !== undefined
  return (
    <li class={`observation is-${one.kind}`}>
      <p class="meta">
        <span class="tag">{one.toolName ?? one.kind.replace('_', ' ')}</span>
        <time dateTime={new Date(one.at).toISOString()}>+{spanWords(one.at - start)}</time>
        {one.tokens > 0 && <span>{countWords(one.tokens)} tokens</span>}
        {one.costMicros > 0 && <span>{moneyWords(one.costMicros)}</span>}
      </p>
      {one.toolName === undefined || !hasMore ? <p class="observation-text">{one.content}</p> : null}
      {hasMore && (
        <details>
          <summary>{one.toolName === undefined ? 'Details' : 'Arguments and result'}</summary>
          {one.args !== undefined && <Value value={one.args} />}
          {one.result !== undefined && <Value value={one.result} />}
        </details>
      )}
    </li>
  )
}

interface NeighboursProps {
  readonly title: string
  readonly ids: readonly string[]
  readonly steps: ReadonlyMap<string, StepRow>
  readonly planId: string
  readonly as: 'timeline' | 'graph'
}

const mostNeighbours = 20

function Neighbours({ title, ids, steps, planId, as }: NeighboursProps) {
  if (ids.length === 0) return null
  return (
    <Part title={title} count={ids.length}>
      <ul class="plain neighbours">
        {ids.slice(0, mostNeighbours).map((id) => (
          <li key={id}>
            <StatusMark status={steps.get(id)?.status ?? 'pending'} />
            <a href={planAddress(planId, as, id)}>{steps.get(id)?.title ?? shortId(id)}</a>
          </li>
        ))}
      </ul>
      {ids.length > mostNeighbours && <p class="meta">and {countWords(ids.length - mostNeighbours)} more</p>}
    </Part>
  )
}

/** Reads the step again whenever the plan has changed. */
function useStep(
  id: string,
  position: number,
): { readonly page: StepPage | undefined; readonly error: string | undefined } {
  const [page, setPage] = useState<StepPage | undefined>(undefined)
  const [error, setError] = useState<string | undefined>(undefined)
  useEffect(() => {
    const end = new AbortController()
    const read = async () => {
      try {
        setPage(await ask<StepPage>(`/api/steps/${encodeURIComponent(id)}`, end.signal))
        setError(undefined)
      } catch (failed) {
        if (!end.signal.aborted) setError(failed instanceof Error ? failed.message : String(failed))
      }
    }
    void read()
    return () => end.abort()
  }, [id, position])
  return { page, error }
}
