/**
 * The steps that decided how long a plan took: from the step that ended last, back over the dependency that ended last, and so on. Making any
 * other step faster would not have made the plan faster.
 */
import type { StepRow } from '../../../src/contract/plans.ts'

/** Ids, the first step first. Empty while nothing has run. */
export function criticalPath(steps: ReadonlyMap<string, StepRow>, now: number): readonly string[] {
  const path: string[] = []
  const seen = new Set<string>()
  let step = latest(steps.values(), now)
  while (step !== undefined && !seen.has(step.id)) {
    seen.add(step.id)
    path.unshift(step.id)
    step = latest(
      step.dependsOn.flatMap((id) => steps.get(id) ?? []),
      now,
    )
  }
  return path
}

function latest(steps: Iterable<StepRow>, now: number): StepRow | undefined {
  let found: StepRow | undefined
  let end = -Infinity
  for (const step of steps) {
    if (firstRun(step) === undefined) continue
    const ended = endOf(step, now)
    if (ended > end) [found, end] = [step, ended]
  }
  return found
}

/** When its first attempt started. */
export function firstRun({ segments }: StepRow): number | undefined {
  return segments.find(([state]) => state.startsWith('ran-') || state === 'running')?.[1]
}

/** When it ended, or now. */
export function endOf({ segments }: StepRow, now: number): number {
  const last = segments.at(-1)
  return last === undefined ? -Infinity : (last[2] ?? now)
}

/** How long its attempts ran, without what it waited between them. */
export function ranFor({ segments }: StepRow, now: number): number {
  return segments.reduce(
    (sum, [state, from, to]) => (state.startsWith('ran-') || state === 'running' ? sum + (to ?? now) - from : sum),
    0,
  )
}
