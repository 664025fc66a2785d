/**
 * Runs a plan in memory with the same decisions and writes as in the log, with scripted outcomes in place of workers. It never
 * waits: the clock jumps to the next time at which a step is due.
 */
import type { Draft } from '@agentm/nodes'
import { mergePayload } from '@agentm/nodes/store-kit'
import { type Plan, planSchema } from '../../plan.ts'
import { actionDrafts, isStepAction } from '../../pure/action-drafts.ts'
import { type Action, nextActions } from '../../pure/next-actions.ts'
import { closingDrafts, drainDraft, endPlanDraft, startPlanDraft } from '../../pure/plan-drafts.ts'
import { isPlanOver, planRefusal, type PlanStatus } from '../../pure/plan-transitions.ts'
import { type Lost, type StepView, wholeView } from '../../pure/plan-view.ts'
import { isNoStart } from '../../pure/rate-limit-wait.ts'
import { afterFailure } from '../../pure/retry-time.ts'
import { blockDraft, completeDraft, failDraft, intentDraft, readyDraft, startDraft } from '../../pure/step-drafts.ts'
import { stepRefusal, type StepStatus } from '../../pure/step-transitions.ts'
import { wakesAt } from '../../pure/wakes-at.ts'
import { type Failure, type Step, stepSchema } from '../../step.ts'
import type { Outcome, Recipe, RecipeStep } from './recipe.ts'
import { StepIndex } from './step-index.ts'

export interface Simulated {
  /** `open` or `running` if it waits for a person. */
  readonly status: PlanStatus
  readonly errorMessage: string | undefined
  /** All starts, in order. */
  readonly dispatches: readonly string[]
  readonly steps: readonly { readonly id: string; readonly status: StepStatus; readonly attempt: number }[]
  readonly toolCalls: number
  readonly tokens: number
}

export function simulatePlan(recipe: Recipe): Simulated {
  const state = new SimulatedPlan(recipe)
  for (let turns = mostTurns(recipe); turns > 0 && !state.isOver; turns--) {
    const acted = state.decide()
    const ended = state.endRuns()
    if (!acted && !ended && !state.wake()) break
  }
  return state.result()
}

/** The most turns that a plan can take before it ends. A plan that does not end is stopped there. */
function mostTurns({ steps }: Recipe): number {
  return 1000 + 100 * steps.length
}

interface Held<T> {
  readonly id: string
  version: number
  payload: T
}

class SimulatedPlan {
  readonly dispatches: string[] = []
  readonly #recipe: Recipe
  readonly #plan: Held<Plan>
  readonly #steps = new Map<string, Held<Step>>()
  readonly #index: StepIndex
  readonly #starts = new Map<string, number>()
  readonly #running = new Set<string>()
  readonly #abandoned = new Map<string, Lost>()
  #now = 0
  /** The number of starts that met a rate limit. */
  #limited = 0
  #toolCalls = 0
  #tokens = 0

  constructor(recipe: Recipe) {
    const { planId, goal, owner, budget, steps } = recipe
    const carried = steps.filter(({ carriedFrom }) => carriedFrom !== undefined).length
    const payload = planSchema.parse({ ownerUserId: owner, goal, carried, ...(budget && { budget }) })
    this.#recipe = recipe
    this.#plan = { id: planId, version: 1, payload }
    for (const step of steps) this.#steps.set(step.id, { id: step.id, version: 1, payload: newStep(recipe, step) })
    this.#index = new StepIndex([...this.#steps.values()])
  }

  get isOver(): boolean {
    return isPlanOver(this.#plan.payload.status)
  }

  /** Decides from the changed steps, and from the whole plan only if those are not enough. Workers read the log the same way. */
  decide(): boolean {
    const { counts } = this.#index
    const around = this.#around()
    const steps = this.#index.views(around.freeSlots)
    const actions = nextActions({ ...around, steps, whole: false, counts })
    const acted = this.perform(actions)
    if (acted || !actions.some((action) => action.do === 'look')) return acted
    const all = [...this.#steps.values()].map((step) => ({ ...step }))
    return this.perform(nextActions(wholeView({ ...this.#around(), steps: all })))
  }

  #around() {
    const { concurrency = 1 } = this.#recipe
    const { startedAt } = this.#plan.payload
    return {
      now: this.#now,
      plan: this.#plan,
      abandoned: this.#abandoned,
      usage: {
        steps: this.dispatches.length - this.#limited,
        toolCalls: this.#toolCalls,
        tokens: this.#tokens,
        costMicros: 0,
        wallClockMs: startedAt === undefined ? 0 : this.#now - Date.parse(startedAt),
      },
      freeSlots: concurrency - (this.#index.counts.running ?? 0),
    }
  }

  /** `true` if any of the actions changed a step or the plan. */
  perform(actions: readonly Action[]): boolean {
    for (const action of actions) this.#act(action)
    return actions.some((action) => action.do !== 'look')
  }

  #act(action: Action): void {
    if (isStepAction(action)) return this.#actOn(action.step.id, actionDrafts(action, this.#now))
    switch (action.do) {
      case 'claim':
        return this.#claim(action.step)
      case 'start':
        return this.#writePlan(startPlanDraft(this.#plan, this.#now))
      case 'settle':
        return this.#end({ status: action.status, message: undefined })
      case 'halt':
        return this.#end({ status: 'failed', message: action.message })
      case 'cancel':
        return this.#end({ status: 'cancelled', message: action.reason })
      case 'drain':
        return this.#writePlan(drainDraft(this.#plan, action.overrun))
      default:
        // `look` is handled by the caller. The check fails to compile if another action is not handled.
        action satisfies { readonly do: 'look' }
    }
  }

  #actOn(id: string, drafts: readonly Draft[]): void {
    this.#abandoned.delete(id)
    for (const draft of drafts) this.#write(id, draft)
  }

  #claim({ id, payload }: StepView): void {
    this.#write(id, startDraft({ id }, { session: 'simulated', at: this.#now }))
    if (payload.nature === 'effectful') this.#write(id, intentDraft({ id }, this.#now))
    this.dispatches.push(id)
    this.#starts.set(id, (this.#starts.get(id) ?? 0) + 1)
    this.#running.add(id)
  }

  /** Ends every run with its scripted outcome, in the order in which the runs began. */
  endRuns(): boolean {
    const running = [...this.#running]
    this.#running.clear()
    for (const id of running) this.#endRun(id)
    return running.length > 0
  }

  #endRun(id: string): void {
    const step = this.#steps.get(id)
    if (step?.payload.status !== 'running') return
    const outcome = this.#outcomeOf(id)
    const { toolCalls = 0, tokens = 0, ms = 0 } = outcome
    this.#toolCalls += toolCalls
    this.#tokens += tokens
    this.#now += ms
    switch (outcome.end) {
      case 'done':
        return this.#write(id, completeDraft(step, { at: this.#now }))
      case 'lost':
        this.#abandoned.set(id, outcome.why ?? 'lease')
        return undefined
      case 'waiting':
        if (isNoStart(outcome.waitsFor)) this.#limited += 1
        return this.#write(id, blockDraft(step, outcome.waitsFor))
      default:
        return this.#fail(step, outcome)
    }
  }

  #fail(step: Held<Step>, outcome: Outcome & { readonly end: 'failed' }): void {
    const at = this.#now
    const failure: Failure = { cause: 'step', message: 'it failed', ...outcome.failure }
    const { failures, retryAt = outcome.retriedByHand === true ? at : undefined } = afterFailure(
      step.payload,
      failure,
      at,
    )
    this.#write(step.id, failDraft(step, { failure, at, failures, ...(retryAt !== undefined && { retryAt }) }))
  }

  #outcomeOf(id: string): Outcome {
    const script = this.#recipe.outcomes[id] ?? []
    return script[(this.#starts.get(id) ?? 1) - 1] ?? script.at(-1) ?? { end: 'done' }
  }

  /** When no other action is possible, moves the clock to the next timer and continues answered steps. `false` if nothing is left. */
  wake(): boolean {
    const answered = [...this.#steps.values()].filter((step) => this.#wasAnswered(step))
    for (const step of answered) this.#write(step.id, readyDraft(step))
    if (answered.length > 0) return true
    const due = [...this.#steps.values()]
      // Ready steps have no earliest and no latest start here, because a replay claims them at once.
      .flatMap(({ payload }) => wakesAt(payload, -Infinity) ?? [])
      .filter((at) => at > this.#now)
    if (due.length === 0) return false
    this.#now = Math.min(...due)
    return true
  }

  /** The script says that the step started again after this wait, so it was answered. */
  #wasAnswered({ id, payload: { status, waitsFor } }: Held<Step>): boolean {
    const started = this.#starts.get(id) ?? 0
    return status === 'blocked' && waitsFor !== undefined && (this.#recipe.outcomes[id]?.length ?? 0) > started
  }

  #end({
    status,
    message,
  }: {
    readonly status: 'done' | 'failed' | 'cancelled'
    readonly message: string | undefined
  }) {
    const at = this.#now
    this.#writePlan(endPlanDraft(this.#plan, { status, at, ...(message !== undefined && { errorMessage: message }) }))
    const cause = status === 'cancelled' ? 'cancelled' : 'halted'
    const open = closingDrafts([...this.#steps.values()], { cause, message: message ?? status }, at)
    for (const draft of open) this.#write(draft.id ?? '', draft)
  }

  #writePlan({ payload, unset = [] }: Draft): void {
    const next = planSchema.parse(mergePayload(this.#plan.payload, payload, unset))
    refuse(planRefusal(this.#plan.payload.status, next.status), this.#plan.id)
    this.#plan.payload = next
    this.#plan.version++
  }

  #write(id: string, { payload, unset = [] }: Draft): void {
    const step = this.#steps.get(id)
    if (step === undefined) throw new TypeError(`the plan has no step ${id}`)
    const next = stepSchema.parse(mergePayload(step.payload, payload, unset))
    refuse(stepRefusal(step.payload, next), id)
    step.payload = next
    step.version++
    this.#index.note(step)
  }

  result(): Simulated {
    const { status, errorMessage } = this.#plan.payload
    const steps = [...this.#steps.values()].map(({ id, payload }) => ({
      id,
      status: payload.status,
      attempt: payload.attempt,
    }))
    return {
      status,
      errorMessage,
      dispatches: this.dispatches,
      steps,
      toolCalls: this.#toolCalls,
      tokens: this.#tokens,
    }
  }
}

function newStep({ planId, owner }: Recipe, { id, dependsOn, ...facts }: RecipeStep): Step {
  const status = facts.carriedFrom === undefined ? 'pending' : 'done'
  const fields = { ...facts, status, ownerUserId: owner, planId, dependsOn: [...dependsOn], idempotencyKey: id }
  return stepSchema.parse(fields)
}

/** The guards of the log apply here, too. A decision that they refuse is a bug. */
function refuse(reason: string | undefined, id: string): void {
  if (reason !== undefined) throw new TypeError(`${id}: ${reason}`)
}
