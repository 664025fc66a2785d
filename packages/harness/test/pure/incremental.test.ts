import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Step } from '../../src/index.ts'
import { type Action, nextActions } from '../../src/pure/next-actions.ts'
import { countsOf, type PlanView, wholeView } from '../../src/pure/plan-view.ts'
import { now, planOf, stepOf } from './plan-views.ts'

type Stepped = ReturnType<typeof stepOf>

/** Edges go from later steps to earlier ones, so there is no circle; some lead nowhere. */
const graphs = fc.integer({ min: 1, max: 9 }).chain((size) =>
  fc.tuple(
    ...Array.from({ length: size }, (_, i) =>
      fc.record({
        dependsOn: fc.subarray([...Array.from({ length: i }, (__, j) => `s${j}`), ...(i % 4 === 3 ? ['nowhere'] : [])]),
        status: fc.constantFrom(
          'pending' as const,
          'pending' as const,
          'running' as const,
          'done' as const,
          'failed' as const,
        ),
        retryLater: fc.boolean(),
      }),
    ),
  ),
)

it('decides from what one change may have moved as it does from the whole plan', () => {
  fc.assert(
    fc.property(graphs, fc.nat(), fc.constantFrom('done' as const, 'failed' as const), (drawn, pick, end) => {
      const quiet = quiesced(possible(drawn))
      const running = quiet.filter(({ payload }) => payload.status === 'running')
      const changed = running[pick % Math.max(1, running.length)]
      if (changed === undefined) return
      const after = quiet.map((step) => (step === changed ? moved(step, { status: end }) : step))
      const whole = nextActions(viewOf(after))
      const excerpt = nextActions(behind(after, changed.id))
      const decided = excerpt.some((action) => action.do === 'look') ? whole : excerpt
      expect(decided.map(told).toSorted()).toEqual(whole.map(told).toSorted())
    }),
    { numRuns: 500 },
  )
})

it('comes to rest: performing what is decided leaves less and less to decide', () => {
  fc.assert(
    fc.property(graphs, (drawn) => {
      expect(nextActions(viewOf(quiesced(possible(drawn)))).filter(({ do: what }) => what !== 'settle')).toEqual([])
    }),
  )
})

/** A step can only have begun once what it depends on was done. */
function possible(
  drawn: readonly { dependsOn: string[]; status: Step['status']; retryLater: boolean }[],
): readonly Stepped[] {
  const done = new Set<string>()
  return drawn.map(({ dependsOn, status, retryLater }, i) => {
    const begun = dependsOn.every((id) => done.has(id)) ? status : 'pending'
    if (begun === 'done') done.add(`s${i}`)
    return stepOf(`s${i}`, {
      dependsOn,
      status: begun,
      ...(begun === 'failed' && retryLater && { retryAt: now + 1000 }),
    })
  })
}

/** Everything that could be decided before is performed already. */
function quiesced(steps: readonly Stepped[]): readonly Stepped[] {
  let [current, rounds] = [steps, 0]
  for (;;) {
    const promoted = new Set(
      nextActions(viewOf(current)).flatMap((action) => (action.do === 'promote' ? [action.step.id] : [])),
    )
    if (promoted.size === 0 || (rounds += 1) > steps.length) return current
    current = current.map((step) => (promoted.has(step.id) ? moved(step, { status: 'ready' }) : step))
  }
}

/** What a worker reads after its step ended: the dependents that wait for nothing any more, and the counts. */
function behind(steps: readonly Stepped[], id: string): PlanView {
  const { steps: seen, ...view } = viewOf(steps)
  const free = seen.filter(
    ({ payload, remaining }) => remaining === 0 && payload.status === 'pending' && payload.dependsOn.includes(id),
  )
  return { ...view, steps: free, whole: false, counts: countsOf(steps) }
}

function viewOf(steps: readonly Stepped[]): PlanView {
  return wholeView({ now, plan: planOf(), steps })
}

function moved(step: Stepped, payload: Partial<Step>): Stepped {
  return { ...step, payload: { ...step.payload, ...payload } }
}

function told(action: Action): string {
  return 'step' in action ? `${action.do} ${action.step.id}` : JSON.stringify(action)
}
