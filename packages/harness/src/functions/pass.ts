/**
 * One pass of a function: from its first line until it ends, or until all it waits for lies outside. What the journal holds is given to
 * it first, in the order in which it was recorded; only then does anything new begin. One answer is given at a time, and the code runs
 * until it waits again before the next one is given: so the same journal always leads to the same place.
 */
import { redactSecrets } from '@agentm/nodes'
import type { StepOutcome } from '../step-kind.ts'
import { Wake } from '../wake.ts'
import { checkOutsideStep } from './begin-step.ts'
import { isQuestionOpen, isSettled } from './entry.ts'
import { FunctionCancelledError, FunctionStepFailedError, NondeterminismError } from './function-errors.ts'
import type { Recorded } from './function-log.ts'
import { Journal } from './journal.ts'
import type { PassDesk, PassSettings, Queued } from './pass-desk.ts'
import { PassSteps, shownAfterMs } from './pass-steps.ts'
import { PassWaits } from './pass-waits.ts'
import { Slot, type Work } from './slot.ts'

/** How the code of the function ended. */
export type BodyEnd =
  | { readonly end: 'done'; readonly value: unknown }
  | { readonly end: 'failed'; readonly error: unknown }
  | { readonly end: 'cancelled'; readonly reason: string }

type Waits = Extract<StepOutcome, { end: 'waits' }>

/** A changed function may never ask for what it recorded. It is given this long, in case it waits for something of its own. */
const longestSilenceMs = 10_000
/** A run keeps its slot while it waits no longer than this. */
const briefMs = 50
/** How long to wait before a run whose code does not fit is tried again. */
const codePauseMs = 10_000

export class Pass implements PassDesk {
  readonly settings: PassSettings
  readonly open = new Set<Slot>()
  isOver = false
  readonly #wake: Wake
  readonly #steps: PassSteps
  readonly #waits: PassWaits
  /** Everything that was asked for, by position. */
  readonly #slots: Slot[] = []
  readonly #queue: Queued[] = []
  readonly #undo: { readonly slot: Slot; readonly value: unknown }[] = []
  #journal = new Journal([])
  /** How much runs in the background. */
  #live = 0
  #isNews = true
  #now: number
  #ended: BodyEnd | undefined
  #mismatch: NondeterminismError | undefined
  #fault: { readonly error: unknown } | undefined
  /** Steps that were stopped are waited for without the signal that stopped them. */
  readonly #never = new AbortController().signal
  #cancelled: FunctionCancelledError | undefined
  /** Messages to children that the function no longer waits for. */
  readonly #goodbyes: Promise<void>[] = []

  constructor(settings: PassSettings) {
    this.settings = settings
    this.#wake = new Wake(settings.runtime)
    this.#steps = new PassSteps(this)
    this.#waits = new PassWaits(this)
    this.#now = settings.startedAt
  }

  get id(): string {
    return this.settings.id
  }

  get seed(): string {
    return this.settings.seed ?? this.settings.id
  }

  /** The time of the last thing that the function was given. */
  get now(): number {
    return this.#now
  }

  /** The cancellation, once the function was given it. */
  get cancelled(): FunctionCancelledError | undefined {
    return this.#cancelled
  }

  /** The next step to take back, the last one first. */
  nextUndo(): { readonly slot: Slot; readonly value: unknown } | undefined {
    return this.#undo.pop()
  }

  /** A message arrived, or a child ended. */
  tellNews(): void {
    this.#isNews = true
    this.#wake.ring()
  }

  async run(body: () => Promise<BodyEnd>): Promise<BodyEnd | Waits> {
    try {
      await this.#giveRecorded(body)
      return await this.#goOn()
    } finally {
      this.#close()
    }
  }

  /** Only gives what was recorded, and begins nothing. How the function ended, or `undefined` if it wants more than the journal holds. */
  async replay(body: () => Promise<BodyEnd>): Promise<BodyEnd | undefined> {
    try {
      await this.#giveRecorded(body)
      if (this.#mismatch !== undefined) throw this.#mismatch
      return this.#ended
    } finally {
      this.#close()
    }
  }

  /** What the function asks for. If the journal says otherwise, the pass stops, and the function waits for ever. */
  ask(op: Slot['op'], asked: string, work: Work): Slot {
    checkOutsideStep(op, asked)
    const position = this.#slots.length
    // The log masks what looks like a secret, and the name must be the one that the journal has.
    const name = redactSecrets(asked)
    const slot = new Slot({ position, op, name, work }, this.#journal.at(position)?.entry)
    if (this.isOver || this.#isStopped) return slot
    const other = this.#journal.otherThan(slot)
    if (other !== undefined) {
      this.#stopFor(other, slot)
      return slot
    }
    this.#slots.push(slot)
    this.open.add(slot)
    this.#wake.ring()
    return slot
  }

  /** Whether this would be something new: the journal does not say that it comes next, and goes on behind it. */
  isPassedBy(op: Slot['op'], name: string): boolean {
    const position = this.#slots.length
    const isNext =
      this.#journal.at(position) !== undefined && this.#journal.otherThan({ position, op, name }) === undefined
    return !isNext && this.#journal.behind(position) !== undefined
  }

  /** The function no longer waits for it. */
  giveUp(slot: Slot): void {
    if (slot.state === 'over') return
    const { position, work } = slot
    // It may have been started by an earlier pass that was lost before it recorded so.
    if (work.kind === 'call' && work.child.isFunction) this.#cancelChild(position, 'it lost a race')
    this.open.delete(slot)
    this.#withdraw(slot)
    slot.stop(passOver)
    slot.state = 'over'
  }

  /** Nobody is shown a question any more whose answer the function would not be given. */
  #withdraw(slot: Slot): void {
    if (slot.entry !== undefined && isQuestionOpen(slot.entry)) this.queue({ slot, change: { status: 'withdrawn' } })
  }

  #cancelChild(position: number, reason: string): void {
    const { log } = this.settings
    const sent = log.cancelChild(log.childIdOf(position), reason)
    this.#goodbyes.push(sent)
    this.inBackground(sent)
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

  #close(): void {
    this.isOver = true
    for (const slot of this.open) slot.stop(passOver)
  }

  get #isStopped(): boolean {
    return this.#ended !== undefined || this.#mismatch !== undefined
  }

  #end(end: BodyEnd): void {
    if (this.#isStopped) return
    const left = this.#journal.behind(this.#slots.length)
    if (left === undefined) this.#ended = end
    else this.#stopFor(left, undefined)
    this.#wake.ring()
  }

  #stopFor({ entry }: Recorded, asked: Slot | undefined): void {
    this.#mismatch ??= new NondeterminismError(this.id, { recorded: entry, asked })
    this.#wake.ring()
  }

  /** Starts the function and gives it what it was given before. */
  async #giveRecorded(body: () => Promise<BodyEnd>): Promise<void> {
    this.#journal = new Journal(await this.settings.log.entries())
    this.#waits.recall(this.#journal)
    void body().then((end) => this.#end(end))
    await codeWaits()
    for (const recorded of this.#journal.given) {
      if (this.#isStopped) return
      if (recorded.entry.op === 'cancel') this.#giveCancel(recorded)
      else {
        const slot = await this.#slotFor(recorded)
        if (slot === undefined) return
        this.#give(slot, recorded)
      }
      await codeWaits()
    }
  }

  /** The slot of what was recorded, once the function has asked for it; `undefined` if it does not. */
  async #slotFor(recorded: Recorded): Promise<Slot | undefined> {
    const { position } = recorded.entry
    const { runtime, signal } = this.settings
    const giveUpAt = runtime.now() + longestSilenceMs
    while (this.#slots[position] === undefined) {
      if (this.#isStopped || signal.aborted) return undefined
      if (runtime.now() >= giveUpAt) {
        this.#stopFor(recorded, undefined)
        return undefined
      }
      await this.#wake.wait(giveUpAt - runtime.now(), signal)
      await codeWaits()
    }
    return this.#slots[position]
  }

  /** Begins what is new, writes what has ended, gives it to the function, and so on, until nothing is left to do here. */
  async #goOn(): Promise<BodyEnd | Waits> {
    for (;;) {
      if (this.#fault !== undefined) throw this.#fault.error
      if (this.#mismatch !== undefined) return this.#waitsForCode(this.#mismatch)
      if (this.#queue.length > 0) await this.#write()
      else if (this.#ended !== undefined) return await this.#leave(this.#ended)
      else if (this.settings.signal.aborted) await this.#stop()
      else if (!(await this.#begin())) {
        if (this.#isAtRest && !this.#isBrief) return this.#allWaits()
        await this.#rest()
      }
    }
  }

  /** Children that nobody waits for any more are cancelled, so that they end soon after the function. */
  async #leave(end: BodyEnd): Promise<BodyEnd> {
    for (const { position, work } of this.open)
      if (work.kind === 'call' && work.child.isFunction) this.#cancelChild(position, 'its caller has ended')
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
    await this.#wake.wait(Math.min(untilNext, this.#live > 0 ? shownAfterMs : longestSilenceMs), this.settings.signal)
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
    return this.#queue.length > 0 || this.#isStopped
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
      if (slot.op === 'cancel') this.#giveCancel(each)
      else if (isSettled(each.entry)) this.#give(slot, each)
      else if (each.entry.status === 'failed' && slot.state === 'live') slot.state = 'waiting'
      else continue
      await codeWaits()
    }
  }

  #give(slot: Slot, { entry, at }: Recorded): void {
    this.open.delete(slot)
    // What happened is taken back, also if the function no longer waited for it. What another run did is that run's to take back.
    const { work } = slot
    const isDone = entry.status === 'done' && entry.carriedAt === undefined
    if (work.kind === 'step' && work.options.undo !== undefined && isDone) this.#undo.push({ slot, value: entry.value })
    if (slot.state === 'over') return
    this.#now = at
    if (entry.status === 'failed') {
      slot.reject(errorOf(slot, entry.failure ?? { message: 'it failed' }))
      return
    }
    slot.resolve(entry.value)
  }

  /** All that waits throws. Children that are functions are cancelled, and the function is given their end. */
  #giveCancel({ entry, at }: Recorded): void {
    this.#now = at
    this.#cancelled = new FunctionCancelledError(this.id, entry.name)
    this.#isNews = true
    for (const slot of this.open) {
      if (slot.work.kind === 'call' && slot.work.child.isFunction) {
        slot.cancelled = entry.name
        continue
      }
      this.open.delete(slot)
      this.#withdraw(slot)
      slot.stop(this.#cancelled)
      slot.reject(this.#cancelled)
    }
  }
}

const passOver = new Error('the function no longer waits for it')

function errorOf(slot: Slot, cause: { readonly message: string; readonly code?: string | undefined }): Error {
  if (cause.code === 'FUNCTION_CANCELLED') return new FunctionCancelledError(slot.name, cause.message)
  return new FunctionStepFailedError(slot.name, cause)
}

/** Resolves when the code of the function waits again: after all that is ready to run now. */
async function codeWaits(): Promise<void> {
  await new Promise<void>((resolve) => void setImmediate(resolve))
}
