/**
 * The budgets that limit one run of a step: that of its plan, and those of the plans above it. Before a call, the run writes a
 * reservation to the log and only then checks whether it fits. All processes see reservations in the same order, so steps that run
 * at the same time cannot spend the same budget. The real usage is written together with the observation that reports it, so a call
 * costs one more append. Plans without a budget need no extra append.
 */
import { deriveId, type Draft, type Node } from '@agentm/nodes'
import { budgetChain, type ChainVerdict, judgeReservation } from './budget-chain.ts'
import type { Claim, ClaimWrite } from './claim.ts'
import type { PlanHead } from './harness-context.ts'
import type { LoopBudget, Reservation as Granted, Runtime, Spend } from '@agentm/agent-loop'
import { minus, nothing } from '@agentm/agent-loop/internal'
import { planSpending } from './plan-usage.ts'
import { leastLeft, leftOf } from './pure/budget-left.ts'
import { isLimited, type SetAside } from './pure/reservation-verdict.ts'
import { type Reservation, reservation as concept } from './reservation.ts'

export interface PlanBudgetSettings {
  readonly runtime: Runtime
  /** The clock of the store. */
  readonly now: () => number
}

/** A lane holds one call at a time. Calls at the same time use several lanes. */
interface Lane {
  readonly name: string
  /** What the call used and no observation has reported yet; `undefined` while the call runs. */
  left: Spend | undefined
  /** The status in the log. */
  written: Reservation['status']
}

const firstPauseMs = 10
const longestPauseMs = 500
/** Calls may wait for each other in a circle that the log does not show, so every wait ends after this time. */
const longestWaitMs = 30 * 60_000

export class PlanBudget implements LoopBudget {
  readonly #claim: Claim
  readonly #settings: PlanBudgetSettings
  readonly #lanes = new Set<Lane>()
  /** One check at a time: the calls of one step are judged in the order of their reservations. */
  #asking: Promise<unknown> = Promise.resolve()
  #writing: Promise<unknown> = Promise.resolve()

  constructor(claim: Claim, settings: PlanBudgetSettings) {
    this.#claim = claim
    this.#settings = settings
  }

  async reserve(amount: Spend): Promise<Granted> {
    const turn = this.#asking.then(async () => this.#reserve(amount))
    this.#asking = turn.catch(() => undefined)
    return turn
  }

  /** Takes over what an earlier run of the step spent and did not report. */
  async takeOver(untold: Spend): Promise<void> {
    if (isNothing(untold)) return
    const isBooked = isLimitedBy(await this.#chain(), untold)
    if (isBooked) this.#lanes.add({ name: laneName(untold, 0), left: untold, written: 'spent' })
  }

  async limitsMoney(): Promise<boolean> {
    return isLimitedBy(await this.#chain(), { ...nothing, costMicros: 1 })
  }

  async left(): Promise<Partial<Spend>> {
    const { context } = this.#claim
    const now = this.#settings.now()
    let left: Partial<Spend> = {}
    for (const plan of await this.#chain())
      if (plan.payload.budget !== undefined)
        left = leastLeft(left, leftOf(plan.payload.budget, await planSpending(context, plan, { now })))
    return left
  }

  /** Writes in the name of the run, together with changed reservations. `told` is the usage that the drafts report. */
  async write(drafts: readonly Draft[], told: Spend = nothing, options?: ClaimWrite): Promise<readonly Node[]> {
    return this.#inTurn(async () => this.#append(drafts, this.#owed(told, { all: false }), options))
  }

  async #reserve(amount: Spend): Promise<Granted> {
    const chain = await this.#chain()
    if (chain.every(({ payload: { budget } }) => budget === undefined)) return unbounded
    if (this.#claim.signal.aborted) return { granted: false, limit: 'cancelled' }
    const { id: stepId } = this.#claim.step
    if (!isLimitedBy(chain, amount))
      return this.#answer(await this.#judge(chain, { stepId, seq: Infinity, amount }), amount)
    const lane = this.#freeLane(amount)
    const seq = await this.#setAside(lane, amount)
    const answer = this.#answer(await this.#judge(chain, { stepId, seq, amount }, lane), amount, lane)
    // Left as it is, it would count as money that may have been spent once the step has another version.
    if (!answer.granted && !this.#claim.signal.aborted) await this.#settleUp()
    return answer
  }

  #answer(verdict: ChainVerdict | { readonly is: 'called off' }, amount: Spend, lane?: Lane): Granted {
    if (verdict.is === 'granted')
      return {
        granted: true,
        settle: async (actual) => {
          if (lane === undefined) return
          lane.left = actual
          if (isNothing(actual)) await this.#settleUp()
        },
        lose: async () => {
          if (lane === undefined) return
          // The next call may have the lane: what it had stays counted.
          await this.#mark(lane, 'lost', amount)
          this.#lanes.delete(lane)
        },
      }
    if (lane !== undefined) lane.left = nothing
    return { granted: false, limit: 'overrun' in verdict ? verdict.overrun.limit : 'cancelled' }
  }

  /** Waits until the call fits, or can no longer fit. */
  async #judge(
    chain: readonly PlanHead[],
    own: SetAside,
    lane?: Lane,
  ): Promise<ChainVerdict | { readonly is: 'called off' }> {
    const { runtime, now } = this.#settings
    const { context, signal } = this.#claim
    const until = runtime.now() + longestWaitMs
    for (let pause = firstPauseMs; ; pause = Math.min(pause * 2, longestPauseMs)) {
      const verdict = await judgeReservation(context, own, { chain, now: now() })
      // The call is made only after the log says that it may have been made.
      if (verdict.is === 'granted' && lane?.written === 'waits') await this.#mark(lane, 'held', own.amount)
      if (verdict.is === 'granted' || verdict.is === 'refused') return verdict
      if (runtime.now() >= until && verdict.is === 'waits') return verdict
      if (verdict.is === 'waits' && lane?.written === 'held') await this.#mark(lane, 'waits', own.amount)
      // Another step may wait for a finished call of this step, while this step waits for that one. So finished calls are written
      // first.
      await this.#settleUp()
      await runtime.sleep(pause, signal).catch(() => undefined)
      if (signal.aborted) return { is: 'called off' }
    }
  }

  async #setAside(lane: Lane, amount: Spend): Promise<number> {
    const [node] = await this.write([this.#draft(lane.name, 'held', amount)])
    this.#lanes.add(lane)
    return node?.seq ?? 0
  }

  /** Says in the log whether the call may be under way, or was lost. That decides whether its reply may be charged. */
  async #mark(lane: Lane, status: 'waits' | 'held' | 'lost', amount: Spend): Promise<void> {
    await this.write([this.#draft(lane.name, status, amount)])
    lane.written = status
  }

  /** Writes the usage of all finished calls now. */
  async #settleUp(): Promise<void> {
    await this.#inTurn(async () => this.#append([], this.#owed(nothing, { all: true })))
  }

  /** Makes one write at a time, because each needs to know what the previous one wrote. */
  async #inTurn(write: () => Promise<readonly Node[]>): Promise<readonly Node[]> {
    const turn = this.#writing.then(write)
    this.#writing = turn.catch(() => undefined)
    return turn
  }

  async #append(drafts: readonly Draft[], owed: readonly Owed[], options?: ClaimWrite): Promise<readonly Node[]> {
    if (drafts.length + owed.length === 0) return []
    const spent = owed.map(({ lane, left }) => this.#draft(lane.name, isNothing(left) ? 'over' : 'spent', left))
    const nodes = await this.#claim.write([...drafts, ...spent], options)
    for (const { lane, left } of owed) {
      lane.left = left
      lane.written = 'spent'
      if (isNothing(left)) this.#lanes.delete(lane)
    }
    return nodes
  }

  /** What has to be written to the log. Calls in progress write their own cost when they end, so they are included only with `all`. */
  #owed(told: Spend, { all }: { readonly all: boolean }): readonly Owed[] {
    let rest = told
    const owed: Owed[] = []
    for (const lane of this.#lanes) {
      if (lane.left === undefined) continue
      const left = minus(lane.left, rest)
      rest = minus(rest, lane.left)
      const isNews = lane.written !== 'spent' && (all || left.toolCalls === 0)
      if (isNothing(left) || isNews) owed.push({ lane, left })
    }
    return owed
  }

  #freeLane(amount: Spend): Lane {
    const taken = new Set([...this.#lanes].map(({ name }) => name))
    let n = 0
    while (taken.has(laneName(amount, n))) n += 1
    return { name: laneName(amount, n), left: undefined, written: 'held' }
  }

  #draft(lane: string, status: Reservation['status'], amount: Spend): Draft {
    const { step, fence } = this.#claim
    const { id: stepId, owner: ownerUserId } = step
    const { planId } = step.payload
    const payload: Reservation = { ownerUserId, planId, stepId, lane, fence, status, amount: { ...amount } }
    return { concept: concept.name, id: deriveId(concept.name, stepId, lane), payload, mutation: mutations[status] }
  }

  async #chain(): Promise<readonly PlanHead[]> {
    const { context, step } = this.#claim
    return budgetChain(context, step.payload.planId)
  }
}

interface Owed {
  readonly lane: Lane
  readonly left: Spend
}

const mutations = {
  waits: 'queueHarnessBudget',
  held: 'reserveHarnessBudget',
  spent: 'settleHarnessBudget',
  lost: 'loseHarnessBudget',
  over: 'releaseHarnessBudget',
} as const

const unbounded: Granted = { granted: true, settle: async () => undefined, lose: async () => undefined }

/** The name is the same in every run of a step, so that a later run finds what was spent. */
function laneName({ toolCalls }: Spend, n: number): string {
  return `${toolCalls > 0 ? 'call' : 'reply'}-${n}`
}

function isLimitedBy(chain: readonly PlanHead[], amount: Spend): boolean {
  return chain.some(({ payload: { budget } }) => isLimited(budget, amount))
}

function isNothing({ tokens, toolCalls, costMicros }: Spend): boolean {
  return tokens + toolCalls + costMicros === 0
}
