/**
 * One pass of a function: from its first line until it ends, or until all it waits for lies outside. What the journal holds is given to
 * its code first; only then does anything new begin. What has ended is written, and then given to the code.
 */
import type { StepOutcome } from '../step-kind.ts'
import { Wake } from '../wake.ts'
import { isSettled } from './entry.ts'
import type { NondeterminismError } from './function-errors.ts'
import { giveRecorded } from './give-recorded.ts'
import { Journal } from './journal.ts'
import { type BodyEnd, PassCode } from './pass-code.ts'
import type { PassDesk, PassSettings, Queued } from './pass-desk.ts'
import { PassSteps, shownAfterMs } from './pass-steps.ts'
import { PassWaits } from './pass-waits.ts'
import type { Slot, Work } from './slot.ts'

type Waits = Extract<StepOutcome, { end: 'waits' }>
type Body = (code: PassCode) => Promise<BodyEnd>

/** A run keeps its slot while it waits no longer than this. */
const briefMs = 50
/** How long to wait before a run whose code does not fit is tried again. */
const codePauseMs = 10_000
/** How long to rest at most while nothing runs. */
const longestRestMs = 10_000

export class Pass implements PassDesk {
  readonly settings: PassSettings
  readonly #code: PassCode
  readonly #wake: Wake
  readonly #steps: PassSteps
  readonly #waits: PassWaits
  readonly #queue: Queued[] = []
  /** How much runs in the background. */
  #live = 0
  #isNews = true
  #fault: { readonly error: unknown } | undefined
  /** Steps that were stopped are waited for without the signal that stopped them. */
  readonly #never = new AbortController().signal
  /** Messages to children that the function no longer waits for. */
  readonly #goodbyes: Promise<void>[] = []

  constructor(settings: PassSettings) {
    this.settings = settings
    this.#wake = new Wake(settings.runtime)
    this.#steps = new PassSteps(this)
    this.#waits = new PassWaits(this)
    this.#code = new PassCode(settings, {
      onChange: () => this.#wake.ring(),
      onWithdrawn: (slot) => this.queue({ slot, change: { status: 'withdrawn' } }),
      onLeftChild: ({ position }, reason) => this.#cancelChild(position, reason),
    })
  }

  get open(): ReadonlySet<Slot> {
    return this.#code.open
  }

  get isOver(): boolean {
    return this.#code.isClosed
  }

  /** A message arrived, or a child ended. */
  tellNews(): void {
    this.#isNews = true
    this.#wake.ring()
  }

  async run(body: Body): Promise<BodyEnd | Waits> {
    try {
      await this.#giveRecorded(body)
      return await this.#goOn()
    } finally {
      this.#code.close()
    }
  }

  /** Only gives what was recorded, and begins nothing. How the function ended, or `undefined` if it wants more than the journal holds. */
  async replay(body: Body): Promise<BodyEnd | undefined> {
    try {
      await this.#giveRecorded(body)
      if (this.#code.mismatch !== undefined) throw this.#code.mismatch
      return this.#code.ended
    } finally {
      this.#code.close()
    }
  }

  answerTo(questionId: string): unknown {
    return this.#waits.answerTo(questionId)
  }

  queue(queued: Queued): void {
    this.#queue.push(queued)
    this.#wake.ring()
  }

  inBackground(work: Promise<void>): void {
    this.#live += 1
    void work
      .catch((error: unknown) => (this.#fault ??= { error }))
      .finally(() => {
        this.#live -= 1
        this.#wake.ring()
      })
  }

  async #giveRecorded(body: Body): Promise<void> {
    const { settings } = this
    const journal = new Journal(await settings.log.entries())
    this.#waits.recall(journal)
    await giveRecorded(this.#code, { body: () => body(this.#code), journal, settings, wake: this.#wake })
  }

  /** Begins what is new, writes what has ended, gives it to the function, and so on, until nothing is left to do here. */
  async #goOn(): Promise<BodyEnd | Waits> {
    for (;;) {
      const { mismatch, ended } = this.#code
      if (this.#fault !== undefined) throw this.#fault.error
      if (mismatch !== undefined) return this.#waitsForCode(mismatch)
      if (this.#queue.length > 0) await this.#write()
      else if (ended !== undefined) return await this.#leave(ended)
      else if (this.settings.signal.aborted) await this.#stop()
      else if (!(await this.#begin())) {
        if (this.#isAtRest && !this.#isBrief) return this.#allWaits()
        await this.#rest()
      }
    }
  }

  async #leave(end: BodyEnd): Promise<BodyEnd> {
    this.#code.leaveChildren()
    await Promise.all(this.#goodbyes)
    return end
  }

  get #isAtRest(): boolean {
    return this.#live === 0 && this.open.size > 0 && !this.#isNews
  }

  /** Giving up the slot and claiming the run again would take longer than the wait. */
  get #isBrief(): boolean {
    return this.#waits.areOwn && this.#waits.nextTime() - this.settings.log.now() <= briefMs
  }

  /** The claim ends: the steps are stopped, and what they still give is recorded. */
  async #stop(): Promise<void> {
    const { signal } = this.settings
    for (const slot of this.open) slot.stop(signal.reason)
    if (this.#live === 0) throw signal.reason
    await this.#wake.wait(shownAfterMs, this.#never)
  }

  async #rest(): Promise<void> {
    const untilNext = this.#waits.nextTime() - this.settings.log.now()
    await this.#wake.wait(Math.min(untilNext, this.#live > 0 ? shownAfterMs : longestRestMs), this.settings.signal)
    this.#steps.showLong()
  }

  /** Begins what was asked for, and ends what is over. `true` if there is something to write. */
  async #begin(): Promise<boolean> {
    for (const slot of this.open) if (slot.state === 'asked') this.#beginOne(slot)
    if (this.#isNews) {
      this.#isNews = false
      await this.#waits.readNews()
    }
    for (const slot of this.open)
      if (slot.state === 'waiting' && slot.work.kind === 'step') {
        this.#steps.look(slot, slot.work)
        if (slot.isDue) this.#beginOne(slot)
      }
    if (this.#queue.length === 0) this.#waits.settleOne()
    // A wait beside running steps is recorded at once. Otherwise it is recorded when the run gives up its slot.
    if (this.#live > 0) for (const fresh of this.#waits.fresh()) this.queue(fresh)
    return this.#queue.length > 0 || this.#code.isStopped
  }

  #beginOne(slot: Slot): void {
    const { work } = slot
    switch (work.kind) {
      case 'note':
        slot.state = 'live'
        this.queue({ slot, change: { status: 'done', value: work.value } })
        break
      case 'wait':
        slot.state = 'waiting'
        break
      case 'call':
        slot.state = 'live'
        this.inBackground(this.#startChild(slot, work))
        break
      default:
        this.#steps.begin(slot, work)
    }
  }

  async #startChild(slot: Slot, { child }: Extract<Work, { kind: 'call' }>): Promise<void> {
    slot.childPlanId = await this.settings.log.startChild(slot.position, child)
    if (slot.state === 'live') slot.state = 'waiting'
    this.#isNews = true
  }

  #cancelChild(position: number, reason: string): void {
    const { log } = this.settings
    const sent = log.cancelChild(log.childIdOf(position), reason)
    this.#goodbyes.push(sent)
    this.inBackground(sent)
  }

  #waitsForCode({ message }: NondeterminismError): Waits {
    const until = this.settings.log.now() + codePauseMs
    return { end: 'waits', waitsFor: { for: 'code', until, message } }
  }

  #allWaits(): Waits {
    const drafts = this.settings.log.draftsOf(this.#waits.fresh().map(({ change }) => change))
    return { end: 'waits', waitsFor: this.#waits.all(), drafts }
  }

  /** Writes what is queued in one append, then gives the function the answers, one at a time. */
  async #write(): Promise<void> {
    const batch = this.#queue.splice(0)
    const durability = batch.some((each) => each.durability === 'full') ? 'full' : 'normal'
    const changes = batch.map(({ slot: { position, op, name }, change }) => ({ position, op, name, ...change }))
    const recorded = await this.settings.log.write(changes, durability)
    // All of them first: what the function gives up in between must be known as it stands in the log.
    for (const [i, { slot, written }] of batch.entries()) {
      slot.entry = recorded[i]?.entry ?? slot.entry
      written?.()
    }
    for (const [i, { slot }] of batch.entries()) {
      const each = recorded[i]
      if (each === undefined) continue
      if (slot.op === 'cancel') {
        // Its children are sent the cancellation, too.
        this.#isNews = true
        await this.#code.giveCancel(each)
      } else if (isSettled(each.entry)) await this.#code.give(slot, each)
      else if (each.entry.status === 'failed' && slot.state === 'live') slot.state = 'waiting'
    }
  }
}
