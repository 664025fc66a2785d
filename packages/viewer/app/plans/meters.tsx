/** What a plan used, beside what it may use. */
import { useMemo } from 'preact/hooks'
import type { PlanFacts, PlanStandingNow, StepRow } from '../../src/contract/plans.ts'
import { countWords, moneyWords, spanWords } from '../pure/words.ts'
import { useNow } from '../clock.ts'

export interface MetersProps {
  readonly plan: PlanFacts
  readonly steps: ReadonlyMap<string, StepRow>
  readonly standing: PlanStandingNow | undefined
}

export function Meters({ plan, steps, standing }: MetersProps) {
  const isMoving = plan.endedAt === undefined
  const now = useNow(isMoving)
  const done = useMemo(() => [...steps.values()].filter(({ status }) => status === 'done').length, [steps])
  const { budget } = plan
  const usage = standing?.usage
  const elapsed = plan.startedAt === undefined ? 0 : (plan.endedAt ?? now) - plan.startedAt
  return (
    <dl class="meters">
      <Meter name="Steps done" value={done} most={steps.size} words={countWords} isProgress />
      <Meter name="Time" value={elapsed} most={budget['maxWallClockMs']} words={spanWords} />
      <Meter name="Starts" value={usage?.steps} most={budget['maxSteps']} words={countWords} />
      <Meter name="Tool calls" value={usage?.toolCalls} most={budget['maxToolCalls']} words={countWords} />
      <Meter name="Tokens" value={usage?.tokens} most={budget['maxTokens']} words={countWords} />
      <Meter name="Cost" value={usage?.costMicros} most={budget['maxCostMicros']} words={moneyWords} />
      {isMoving && (
        <div class="meter">
          <dt>Workers</dt>
          <dd>
            {standing === undefined
              ? '…'
              : standing.workers === 0
                ? 'none alive'
                : `${countWords(standing.workers)} alive`}
          </dd>
        </div>
      )}
    </dl>
  )
}

interface MeterProps {
  readonly name: string
  readonly value: number | undefined
  readonly most: number | undefined
  readonly words: (value: number) => string
  readonly isProgress?: boolean
}

function Meter({ name, value, most, words, isProgress = false }: MeterProps) {
  const share = value === undefined || most === undefined || most === 0 ? undefined : Math.min(1, value / most)
  const level = isProgress || share === undefined ? '' : share >= 1 ? ' is-over' : share >= 0.8 ? ' is-near' : ''
  return (
    <div class={`meter${level}`}>
      <dt>{name}</dt>
      <dd>
        {value === undefined ? '…' : words(value)}
        {most !== undefined && <span class="quiet"> / {words(most)}</span>}
      </dd>
      {share !== undefined && (
        <span class="meter-bar" aria-hidden="true">
          <i style={{ width: `${share * 100}%` }} />
        </span>
      )}
    </div>
  )
}
