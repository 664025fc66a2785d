/** Each step a row, each attempt a bar, and what it waited for between them. Only the rows on the screen are drawn. */
import { memo } from 'preact/compat'
import { useMemo, useRef, useState } from 'preact/hooks'
import type { PlanFacts, Segment, StepRow } from '../../src/contract/plans.ts'
import { useNow } from '../clock.ts'
import { firstRun, ranFor } from './pure/critical-path.ts'
import { depthsOf } from './pure/layers.ts'
import { timeTicks } from './pure/time-ticks.ts'
import { spanWords } from '../pure/words.ts'
import { planAddress } from '../router.ts'
import { Icon, StatusMark } from '../views/icons.tsx'
import { useIsNarrow, useWindowOfRows } from '../views/windowed.ts'

export interface TimelineProps {
  readonly plan: PlanFacts
  readonly rows: readonly StepRow[]
  readonly critical: ReadonlySet<string>
  readonly chosen: string | undefined
}

interface Span {
  readonly from: number
  readonly to: number
}

export function Timeline({ plan, rows, critical, chosen }: TimelineProps) {
  const isMoving = plan.endedAt === undefined
  const now = useNow(isMoving)
  const isNarrow = useIsNarrow()
  const [zoom, setZoom] = useState<{ readonly level: number; readonly at: number }>({ level: 0, at: 0.5 })
  const list = useRef<HTMLDivElement>(null)
  const ordered = useMemo(() => inOrder(rows), [rows])
  const origin = plan.createdAt
  const whole = { from: origin, to: Math.max(plan.endedAt ?? now, origin + 1_000) }
  const span = zoomed(whole, zoom)
  const height = isNarrow ? 50 : 34
  const { first, last } = useWindowOfRows(list, { count: ordered.length, height })
  const ticks = timeTicks({ ...span, origin, most: isNarrow ? 3 : 8 })
  return (
    <section class="timeline" aria-label="Timeline">
      <div class="timeline-head">
        <div class="zoom" role="group" aria-label="Zoom">
          <ZoomButton
            icon="minus"
            name="Zoom out"
            isOff={zoom.level === 0}
            on={() => setZoom({ ...zoom, level: zoom.level - 1 })}
          />
          <ZoomButton
            icon="plus"
            name="Zoom in"
            isOff={zoom.level === 12}
            on={() => setZoom({ ...zoom, level: zoom.level + 1 })}
          />
          <ZoomButton icon="left" name="Earlier" isOff={zoom.level === 0} on={() => setZoom(moved(zoom, -1))} />
          <ZoomButton icon="right" name="Later" isOff={zoom.level === 0} on={() => setZoom(moved(zoom, 1))} />
          <ZoomButton
            icon="fit"
            name="Show everything"
            isOff={zoom.level === 0}
            on={() => setZoom({ level: 0, at: 0.5 })}
          />
        </div>
        <div class="axis" aria-hidden="true">
          {ticks.map((tick) => (
            <span key={tick} style={{ left: `${percent(tick, span)}%` }}>
              {tick === origin ? '0' : `+${spanWords(tick - origin)}`}
            </span>
          ))}
        </div>
        <span class="axis-end" aria-hidden="true">
          ran
        </span>
      </div>
      {ordered.length === 0 && <p class="meta no-match">No step matches.</p>}
      <div class="rows" ref={list} role="list" style={{ height: `${ordered.length * height}px` }}>
        {ordered.slice(first, last).map((step, i) => (
          <TimelineRow
            key={step.id}
            planId={plan.id}
            step={step}
            top={(first + i) * height}
            place={`${first + i + 1} of ${ordered.length}`}
            from={span.from}
            to={span.to}
            now={step.segments.at(-1)?.[2] === null ? now : 0}
            isCritical={critical.has(step.id)}
            isChosen={step.id === chosen}
          />
        ))}
      </div>
      <Legend />
    </section>
  )
}

interface ZoomButtonProps {
  readonly icon: 'minus' | 'plus' | 'left' | 'right' | 'fit'
  readonly name: string
  readonly isOff: boolean
  readonly on: () => void
}

function ZoomButton({ icon, name, isOff, on }: ZoomButtonProps) {
  return (
    <button type="button" class="icon-button" aria-label={name} title={name} disabled={isOff} onClick={on}>
      <Icon name={icon} />
    </button>
  )
}

interface RowProps extends Span {
  readonly planId: string
  readonly step: StepRow
  readonly top: number
  readonly place: string
  /** Only for a step that has not ended, so that the others are not drawn every second. */
  readonly now: number
  readonly isCritical: boolean
  readonly isChosen: boolean
}

const TimelineRow = memo(({ planId, step, top, place, from, to, now, isCritical, isChosen }: RowProps) => {
  const ran = ranFor(step, now)
  const status = step.status === 'blocked' && step.waitsFor === 'answer' ? 'asks' : step.status
  return (
    <div
      class={`row${isCritical ? ' is-critical' : ''}${isChosen ? ' is-chosen' : ''}`}
      role="listitem"
      style={{ top: `${top}px` }}
    >
      <a
        href={planAddress(planId, 'timeline', step.id)}
        aria-current={isChosen ? 'true' : undefined}
        title={step.title}
      >
        <StatusMark status={status} />
        <span class="row-title">{step.erased === true ? '(erased)' : step.title}</span>
        {step.attempt > 0 && <span class="tag">attempt {step.attempt + 1}</span>}
        <span class="only-read">
          , {isCritical && 'on the critical path, '}
          {ran > 0 && `ran ${spanWords(ran)}, `}step {place}
        </span>
      </a>
      <div class="track" aria-hidden="true">
        {step.segments.map((segment, i) => (
          <Bar key={i} segment={segment} span={{ from, to }} now={now} />
        ))}
      </div>
      <span class="took" aria-hidden="true">
        {ran > 0 ? spanWords(ran) : ''}
      </span>
    </div>
  )
})

const stateWords: Readonly<Record<Segment[0], string>> = {
  pending: 'waited for earlier steps',
  ready: 'waited for a worker',
  blocked: 'waited',
  backoff: 'waited for its next attempt',
  running: 'is running',
  'ran-done': 'ran, and is done',
  'ran-failed': 'ran, and failed',
  'ran-lost': 'ran, and was lost with its worker',
  'ran-paused': 'ran until it had to wait',
}

function Bar({
  segment: [state, start, end, attempt],
  span,
  now,
}: {
  readonly segment: Segment
  readonly span: Span
  readonly now: number
}) {
  const left = Math.max(0, percent(start, span))
  const right = Math.min(100, percent(end ?? now, span))
  if (right < 0 || left > 100 || right < left) return null
  const words = `${stateWords[state]} for ${spanWords((end ?? now) - start)}${attempt > 0 ? ` (attempt ${attempt + 1})` : ''}`
  return <i class={`bar-${state}`} title={words} style={{ left: `${left}%`, width: `${right - left}%` }} />
}

function Legend() {
  return (
    <ul class="legend" aria-label="What the bars mean">
      <li>
        <i class="swatch bar-ran-done" />
        done
      </li>
      <li>
        <i class="swatch bar-running" />
        running
      </li>
      <li>
        <i class="swatch bar-ran-failed" />
        failed
      </li>
      <li>
        <i class="swatch bar-ran-lost" />
        worker lost
      </li>
      <li>
        <i class="swatch bar-blocked" />
        waits for a person, a time or a plan
      </li>
      <li>
        <i class="swatch bar-ready" />
        waits for a worker
      </li>
      <li>
        <i class="swatch bar-backoff" />
        waits for its next attempt
      </li>
      <li>
        <i class="swatch is-critical" />
        critical path
      </li>
    </ul>
  )
}

/** As they started; those that have not started come after them, what is nearer to its start first. */
function inOrder(rows: readonly StepRow[]): readonly StepRow[] {
  const depths = depthsOf(new Map(rows.map((row) => [row.id, row])))
  return rows
    .map((row, i) => ({ row, i, started: firstRun(row) ?? Infinity, depth: depths.get(row.id) ?? 0 }))
    .toSorted((a, b) => compare(a.started, b.started) || a.depth - b.depth || a.i - b.i)
    .map(({ row }) => row)
}

function compare(a: number, b: number): number {
  return a === b ? 0 : a < b ? -1 : 1
}

function percent(at: number, { from, to }: Span): number {
  return (100 * (at - from)) / Math.max(1, to - from)
}

/** Each level halves what is shown. */
function zoomed({ from, to }: Span, { level, at }: { readonly level: number; readonly at: number }): Span {
  const share = 0.5 ** level
  const start = Math.min(1 - share, Math.max(0, at - share / 2))
  return { from: from + (to - from) * start, to: from + (to - from) * (start + share) }
}

function moved(zoom: { readonly level: number; readonly at: number }, by: -1 | 1): typeof zoom {
  const share = 0.5 ** zoom.level
  return { ...zoom, at: Math.min(1 - share / 2, Math.max(share / 2, zoom.at + (by * share) / 2)) }
}
