/** Two plans side by side: totals, the inputs that differ, and each step with what differs in it. */
import { useEffect, useState } from 'preact/hooks'
import type { ComparedPlan, ComparedRun, ComparedStep, ComparePage, Difference } from '../../src/contract/compare.ts'
import { ask } from '../api.ts'
import { onNews } from '../live.ts'
import { agoWords, countOf, countWords, moneyWords, shortId, spanWords } from '../pure/words.ts'
import { compareAddress, planAddress, query, setQuery } from '../router.ts'
import { CopyCommand } from '../views/copy-command.tsx'
import { Empty } from '../views/empty.tsx'
import { StatusMark } from '../views/icons.tsx'

/** More rows are drawn on demand. */
const mostRows = 300

export function CompareView({ a, b }: { readonly a: string; readonly b: string }) {
  const { page, error } = useComparison(a, b, query.value.get('show') === 'all')
  useEffect(() => {
    document.title = `${shortId(a)} and ${shortId(b)} · agentm`
  }, [a, b])
  if (page !== undefined) return <Compared page={page} />
  if (error === undefined) return <p class="meta">Reading both plans…</p>
  return (
    <Empty title="These plans cannot be compared">
      <p>{error}</p>
      <a class="button" href={planAddress(a)}>
        Show the first plan
      </a>
    </Empty>
  )
}

const relations: Readonly<Record<ComparePage['relation'], string>> = {
  fork: 'One of them is the other one, run again.',
  follows: 'One of them follows the other.',
  siblings: 'Both come from one plan.',
  schedule: 'Both were started by one schedule.',
  same: 'This is one plan, compared with itself.',
  unrelated: 'These plans are not related. Steps with the same key or title are compared.',
}

function Compared({ page: { relation, a, b, input, steps, alike } }: { readonly page: ComparePage }) {
  const [most, setMost] = useState(mostRows)
  const showsAll = query.value.get('show') === 'all'
  const total = showsAll ? steps.length : steps.length + alike
  return (
    <div class="compare">
      <header class="plan-head">
        <p class="crumbs">
          <a href="/plans">Plans</a>
          <span aria-hidden="true"> / </span>
          <a href={planAddress(a.planId)}>{shortId(a.planId)}</a>
          <span aria-hidden="true"> / </span>
          compared with {shortId(b.planId)}
        </p>
        <h1>Side by side</h1>
        <p class={relation === 'unrelated' ? 'banner' : 'meta'}>{relations[relation]}</p>
        <div class="head-actions">
          <a class="button" href={compareAddress(b.planId, a.planId)}>
            Swap sides
          </a>
          <CopyCommand words={`plan diff ${shortId(a.planId)} ${shortId(b.planId)}`} />
        </div>
      </header>
      <div class="compare-plans">
        <PlanCard plan={a} other={b} side="A" />
        <PlanCard plan={b} other={a} side="B" />
      </div>
      {input.length > 0 && (
        <section class="part" aria-labelledby="inputs-differ">
          <h2 id="inputs-differ">Inputs that differ</h2>
          <Differences of="" differences={input} />
        </section>
      )}
      <section aria-labelledby="steps-differ">
        <div class="toolbar">
          <h2 id="steps-differ">Steps</h2>
          <button
            type="button"
            class="chip"
            aria-pressed={!showsAll}
            onClick={() => setQuery('show', showsAll ? '' : 'all')}
          >
            Only what differs <span class="chip-count">{countWords(total - alike)}</span>
          </button>
        </div>
        {steps.length === 0 ? (
          <Empty title="No step differs">
            <p>All {countOf(total, 'step')} have the same status, input and output.</p>
          </Empty>
        ) : (
          <table class="compare-steps">
            <thead>
              <tr>
                <th scope="col">Step</th>
                <th scope="col">A · {shortId(a.planId)}</th>
                <th scope="col">B · {shortId(b.planId)}</th>
              </tr>
            </thead>
            <tbody>
              {steps.slice(0, most).map((step) => (
                <StepRows key={step.a?.stepId ?? step.b?.stepId} step={step} a={a.planId} b={b.planId} />
              ))}
            </tbody>
          </table>
        )}
        {steps.length > most && (
          <button type="button" class="button more" onClick={() => setMost(most + mostRows)}>
            Show {countWords(Math.min(mostRows, steps.length - most))} more
          </button>
        )}
      </section>
    </div>
  )
}

interface PlanCardProps {
  readonly plan: ComparedPlan
  readonly other: ComparedPlan
  readonly side: 'A' | 'B'
}

function PlanCard({ plan, other, side }: PlanCardProps) {
  const total = Object.values(plan.steps).reduce((sum, count) => sum + count, 0)
  return (
    <section class="compare-plan" aria-label={`Plan ${side}`}>
      <p class="meta">
        <span class="tag">{side}</span>
        <StatusMark status={plan.status} word />
        <code>{shortId(plan.planId)}</code>
        <span>created {agoWords(plan.createdAt, Date.now())}</span>
      </p>
      <h2>
        <a href={planAddress(plan.planId)}>{plan.goal}</a>
      </h2>
      {plan.errorMessage !== undefined && plan.status === 'failed' && <p class="is-failed">{plan.errorMessage}</p>}
      <dl class="meters is-small">
        <Meter name="Took" words={spanWords(plan.durationMs)} />
        <Meter name="Done" words={`${countWords(plan.steps['done'] ?? 0)} of ${countWords(total)}`} />
        {plan.carried + other.carried > 0 && <Meter name="Carried over" words={countWords(plan.carried)} />}
        <Meter name="Attempts" words={countWords(plan.attempts)} />
        {plan.toolCalls + other.toolCalls > 0 && <Meter name="Tool calls" words={countWords(plan.toolCalls)} />}
        {plan.tokens + other.tokens > 0 && <Meter name="Tokens" words={countWords(plan.tokens)} />}
        {plan.costMicros + other.costMicros > 0 && <Meter name="Cost" words={moneyWords(plan.costMicros)} />}
      </dl>
    </section>
  )
}

function Meter({ name, words }: { readonly name: string; readonly words: string }) {
  return (
    <div class="meter">
      <dt>{name}</dt>
      <dd>{words}</dd>
    </div>
  )
}

function StepRows({ step, a, b }: { readonly step: ComparedStep; readonly a: string; readonly b: string }) {
  const hasMore = step.input.length + step.output.length > 0
  return (
    <>
      <tr class={step.differs.length > 0 ? 'is-different' : undefined}>
        <th scope="row">
          {step.title}
          {step.key !== step.title && <code class="quiet">{shortId(step.key)}</code>}
        </th>
        <td>
          <Run run={step.a} planId={a} />
        </td>
        <td>
          <Run run={step.b} planId={b} />
        </td>
      </tr>
      {hasMore && (
        <tr class="compare-more">
          <td colSpan={3}>
            <Differences of="input" differences={step.input} />
            <Differences of="output" differences={step.output} />
          </td>
        </tr>
      )}
    </>
  )
}

function Run({ run, planId }: { readonly run: ComparedRun | undefined; readonly planId: string }) {
  if (run === undefined) return <span class="quiet">not in this plan</span>
  const { status, attempts, durationMs, tokens, costMicros, carriedFrom, errorMessage } = run
  return (
    <>
      <p class="meta">
        <a href={planAddress(planId, 'timeline', run.stepId)}>
          <StatusMark status={status} word />
        </a>
        {carriedFrom !== undefined && <span class="tag">carried over</span>}
        {attempts > 0 && <span>{spanWords(durationMs)}</span>}
        {attempts > 1 && <span>{countOf(attempts, 'attempt')}</span>}
        {tokens > 0 && <span>{countWords(tokens)} tokens</span>}
        {costMicros > 0 && <span>{moneyWords(costMicros)}</span>}
      </p>
      {errorMessage !== undefined && <p class="is-failed">{errorMessage}</p>}
    </>
  )
}

interface DifferencesProps {
  readonly of: string
  readonly differences: readonly Difference[]
}

function Differences({ of, differences }: DifferencesProps) {
  return (
    <dl class="differences">
      {differences.map(({ path, a, b }) => (
        <div key={path}>
          <dt>
            <code>{placeOf(of, path)}</code>
          </dt>
          {(a !== undefined || b !== undefined) && (
            <dd>
              <del>{a ?? '(absent)'}</del>
              <ins>{b ?? '(absent)'}</ins>
            </dd>
          )}
        </div>
      ))}
    </dl>
  )
}

function placeOf(of: string, path: string): string {
  if (of === '' || path.startsWith('…')) return path
  return path === '' ? of : `${of}${path.startsWith('[') ? '' : '.'}${path}`
}

/** Reads both plans again when one of them has changed, at most a tenth of the time. */
function useComparison(a: string, b: string, all: boolean): { readonly page?: ComparePage; readonly error?: string } {
  const [found, setFound] = useState<{ readonly page?: ComparePage; readonly error?: string }>({})
  useEffect(() => {
    const end = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    let tookMs = 0
    const read = async () => {
      const began = performance.now()
      try {
        const address = `/api/plans/${encodeURIComponent(a)}/compare?with=${encodeURIComponent(b)}${all ? '&show=all' : ''}`
        setFound({ page: await ask<ComparePage>(address, end.signal) })
      } catch (failed) {
        if (!end.signal.aborted) setFound({ error: failed instanceof Error ? failed.message : String(failed) })
      }
      timer = undefined
      tookMs = performance.now() - began
    }
    const stop = onNews((plans) => {
      if (plans === 'all' || plans.includes(a) || plans.includes(b))
        timer ??= setTimeout(() => void read(), Math.max(1_000, tookMs * 10))
    })
    void read()
    return () => {
      end.abort()
      clearTimeout(timer)
      stop()
    }
  }, [a, b, all])
  return found
}
