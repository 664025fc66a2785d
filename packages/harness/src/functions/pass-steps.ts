/** The steps of a pass: each is begun, tried again when its time has come, and recorded with what it gave. */
import { isQuestionOpen } from './entry.ts'
import type { PassDesk, Queued } from './pass-desk.ts'
import { afterStepFailure } from './pure/after-step-failure.ts'
import { isOutcomeUnknown, outcomeQuestion } from './pure/outcome-question.ts'
import type { Slot, StepWork } from './slot.ts'
import { doStepWork, thrownFacts } from './step-work.ts'

/** A step that runs longer than this is recorded as running, so that people see it. */
export const shownAfterMs = 1000

export class PassSteps {
  readonly #desk: PassDesk

  constructor(desk: PassDesk) {
    this.#desk = desk
  }

  /** Begins a step that was asked for, unless it has to wait: for its next attempt, for a person, or for a place in its lane. */
  begin(slot: Slot, work: StepWork): void {
    const { retryAt = 0 } = slot.entry ?? {}
    if (!slot.isDue && (retryAt > this.#desk.settings.log.now() || isOutcomeUnknown(slot.entry))) {
      slot.state = 'waiting'
      this.#askAboutOutcome(slot, work)
      return
    }
    const { lane } = work
    if (lane !== undefined && lane.running >= lane.atOnce) return
    slot.state = 'live'
    slot.isDue = false
    this.#desk.inBackground(this.#inLane(lane, () => this.#run(slot, work)))
  }

  /** Whether a step that waits may begin. It may also have ended by what a person said. */
  look(slot: Slot, { options: { onUnknown } }: StepWork): void {
    const { settings } = this.#desk
    if (!isOutcomeUnknown(slot.entry)) {
      if ((slot.entry?.retryAt ?? 0) <= settings.log.now()) this.#again(slot)
      return
    }
    const answer = decidedBy(onUnknown) ?? this.#desk.answerTo(outcomeQuestion(slot).id)
    if (answer === undefined) return
    if (answer === 'retry') this.#again(slot)
    else this.#end(slot, answer === 'done' ? { status: 'done' } : { status: 'failed', failure: unknownOutcome })
  }

  /** Records steps that have run for long as running. */
  showLong(): void {
    const since = this.#desk.settings.log.now() - shownAfterMs
    for (const slot of this.#desk.open) {
      const { startedAt } = slot
      if (slot.state !== 'live' || startedAt === undefined || startedAt > since) continue
      slot.startedAt = undefined
      this.#desk.queue({ slot, change: { status: 'running', startedAt } })
    }
  }

  #askAboutOutcome(slot: Slot, { options: { onUnknown } }: StepWork): void {
    const { entry } = slot
    if (!isOutcomeUnknown(entry) || decidedBy(onUnknown) !== undefined) return
    if (entry !== undefined && !isQuestionOpen(entry))
      this.#desk.queue({ slot, change: { status: 'asking', question: outcomeQuestion(slot) } })
  }

  #again(slot: Slot): void {
    slot.isDue = true
    slot.state = 'asked'
  }

  #end(slot: Slot, change: Queued['change']): void {
    slot.state = 'live'
    this.#desk.queue({ slot, change })
  }

  async #inLane(lane: StepWork['lane'], run: () => Promise<void>): Promise<void> {
    if (lane === undefined) return run()
    lane.running += 1
    try {
      await run()
    } finally {
      lane.running -= 1
    }
  }

  async #run(slot: Slot, work: StepWork): Promise<void> {
    const { settings } = this.#desk
    const startedAt = settings.log.now()
    const isEffectful = work.options.nature === 'effectful'
    const end = await this.#attempt(slot, work, { startedAt, isEffectful })
    // A step that was stopped, because its worker stops, has not failed.
    if (end.status === 'failed' && settings.signal.aborted) return
    if (slot.state !== 'live' || this.#desk.isOver) return
    this.#desk.queue({ slot, change: { ...end, startedAt }, ...(isEffectful && { durability: 'full' }) })
  }

  async #attempt(
    slot: Slot,
    work: StepWork,
    { startedAt, isEffectful }: { readonly startedAt: number; readonly isEffectful: boolean },
  ): Promise<Queued['change']> {
    const { log, runtime, id } = this.#desk.settings
    const idempotencyKey = `${id.slice(-32)}-${slot.position}`
    try {
      if (isEffectful) await this.#intend(slot, startedAt)
      slot.startedAt = startedAt
      const onBeat = (details: unknown): void => this.#beat(slot, startedAt, details)
      return { status: 'done', value: await doStepWork(slot, work, { runtime, idempotencyKey, onBeat }) }
    } catch (error) {
      const step = { key: idempotencyKey, failures: slot.entry?.failures ?? 0, retry: work.options.retry }
      return afterStepFailure(step, thrownFacts(error), log.now())
    }
  }

  /** Resolves once it is on disk that the effect may have happened. */
  async #intend(slot: Slot, startedAt: number): Promise<void> {
    const change = { status: 'running', startedAt, intentAt: startedAt } as const
    await new Promise<void>((written) => this.#desk.queue({ slot, change, durability: 'full', written }))
  }

  #beat(slot: Slot, startedAt: number, details: unknown): void {
    if (slot.state !== 'live' || this.#desk.isOver) return
    const { intentAt } = slot.entry ?? {}
    const change = { status: 'running', startedAt, ...(details !== undefined && { details }) } as const
    this.#desk.queue({ slot, change: { ...change, ...(intentAt !== undefined && { intentAt }) } })
  }
}

/** What is done about an unknown outcome without asking anybody. */
function decidedBy(onUnknown: StepWork['options']['onUnknown']): 'retry' | 'fail' | undefined {
  return onUnknown === 'retry' || onUnknown === 'fail' ? onUnknown : undefined
}

const unknownOutcome = {
  message: 'its worker was lost, and it is not known whether it happened',
  code: 'UNKNOWN_OUTCOME',
}
