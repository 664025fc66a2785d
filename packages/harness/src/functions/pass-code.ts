/**
 * The code of a function during a pass: what it asked for, what it was given, and how it ended. It is given one answer at a time, and runs
 * until it waits again before the next one is given: so the same journal always leads to the same place.
 */
import { redactSecrets } from '@agentm/nodes'
import { checkOutsideStep } from './begin-step.ts'
import { isQuestionOpen } from './entry.ts'
import { FunctionCancelledError, FunctionStepFailedError, NondeterminismError } from './function-errors.ts'
import type { Recorded } from './function-log.ts'
import { Journal } from './journal.ts'
import type { PassSettings } from './pass-desk.ts'
import { Slot, type Work } from './slot.ts'

/** How the code of the function ended. */
export type BodyEnd =
  | { readonly end: 'done'; readonly value: unknown }
  | { readonly end: 'failed'; readonly error: unknown }
  | { readonly end: 'cancelled'; readonly reason: string }

/** What the pass does about what the code does. */
export interface CodeEvents {
  /** It asked for something, ended, or does not fit its journal. */
  onChange(): void
  /** It no longer waits for this question. */
  onWithdrawn(slot: Slot): void
  /** It no longer waits for this child, which is a function. */
  onLeftChild(slot: Slot, reason: string): void
}

export class PassCode {
  readonly id: string
  readonly seed: string
  /** What it asked for and has not been given. */
  readonly open = new Set<Slot>()
  readonly #events: CodeEvents
  /** Everything that was asked for, by position. */
  readonly #slots: Slot[] = []
  readonly #undo: { readonly slot: Slot; readonly value: unknown }[] = []
  #journal = new Journal([])
  #now: number
  #ended: BodyEnd | undefined
  #mismatch: NondeterminismError | undefined
  #cancelled: FunctionCancelledError | undefined
  #isClosed = false

  constructor({ id, seed = id, startedAt }: Pick<PassSettings, 'id' | 'seed' | 'startedAt'>, events: CodeEvents) {
    this.id = id
    this.seed = seed
    this.#now = startedAt
    this.#events = events
  }

  /** The time of the last thing that it was given. */
  get now(): number {
    return this.#now
  }

  /** The cancellation, once it was given it. */
  get cancelled(): FunctionCancelledError | undefined {
    return this.#cancelled
  }

  get ended(): BodyEnd | undefined {
    return this.#ended
  }

  /** Why it does not fit its journal. */
  get mismatch(): NondeterminismError | undefined {
    return this.#mismatch
  }

  get isStopped(): boolean {
    return this.#ended !== undefined || this.#mismatch !== undefined
  }

  /** Whether the pass is over. Whatever still waits then waits for ever. */
  get isClosed(): boolean {
    return this.#isClosed
  }

  async begin(body: () => Promise<BodyEnd>, journal: Journal): Promise<void> {
    this.#journal = journal
    void body().then((end) => this.#end(end))
    await codeWaits()
  }

  close(): void {
    this.#isClosed = true
    for (const slot of this.open) slot.stop(passOver)
  }

  /** What the function asks for. If the journal says otherwise, the pass stops, and the function waits for ever. */
  ask(op: Slot['op'], asked: string, work: Work): Slot {
    checkOutsideStep(op, asked)
    const position = this.#slots.length
    // The log masks what looks like a secret, and the name must be the one that the journal has.
    const name = redactSecrets(asked)
    const slot = new Slot({ position, op, name, work }, this.#journal.at(position)?.entry)
    if (this.#isClosed || this.isStopped) return slot
    const other = this.#journal.otherThan(slot)
    if (other !== undefined) {
      this.stopFor(other, slot)
      return slot
    }
    this.#slots.push(slot)
    this.open.add(slot)
    this.#events.onChange()
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
    // It may have been started by an earlier pass that was lost before it recorded so.
    if (isFunctionCall(slot)) this.#events.onLeftChild(slot, 'it lost a race')
    this.#leave(slot)
    slot.stop(passOver)
    slot.state = 'over'
  }

  /** The next step to take back, the last one first. */
  nextUndo(): { readonly slot: Slot; readonly value: unknown } | undefined {
    return this.#undo.pop()
  }

  slotAt(position: number): Slot | undefined {
    return this.#slots[position]
  }

  /** Resolves when the code waits again. */
  async give(slot: Slot, { entry, at }: Recorded): Promise<void> {
    this.open.delete(slot)
    // What happened is taken back, also if the function no longer waited for it. What another run did is that run's to take back.
    const { work } = slot
    const isDone = entry.status === 'done' && entry.carriedAt === undefined
    if (work.kind === 'step' && work.options.undo !== undefined && isDone) this.#undo.push({ slot, value: entry.value })
    if (slot.state !== 'over') {
      this.#now = at
      if (entry.status === 'failed') slot.reject(errorOf(slot, entry.failure ?? { message: 'it failed' }))
      else slot.resolve(entry.value)
    }
    await codeWaits()
  }

  /** All that waits throws. Children that are functions are cancelled, and the function is given their end. */
  async giveCancel({ entry, at }: Recorded): Promise<void> {
    this.#now = at
    this.#cancelled = new FunctionCancelledError(this.id, entry.name)
    for (const slot of this.open) {
      if (isFunctionCall(slot)) {
        slot.cancelled = entry.name
        continue
      }
      this.#leave(slot)
      slot.stop(this.#cancelled)
      slot.reject(this.#cancelled)
    }
    await codeWaits()
  }

  /** Children that nobody waits for any more are cancelled, so that they end soon after the function. */
  leaveChildren(): void {
    for (const slot of this.open) if (isFunctionCall(slot)) this.#events.onLeftChild(slot, 'its caller has ended')
  }

  /** The code does not ask for what was recorded. */
  stopFor({ entry }: Recorded, asked: Slot | undefined): void {
    this.#mismatch ??= new NondeterminismError(this.id, { recorded: entry, asked })
    this.#events.onChange()
  }

  /** Nobody is shown a question any more whose answer the function would not be given. */
  #leave(slot: Slot): void {
    this.open.delete(slot)
    if (slot.entry !== undefined && isQuestionOpen(slot.entry)) this.#events.onWithdrawn(slot)
  }

  #end(end: BodyEnd): void {
    if (this.isStopped) return
    const left = this.#journal.behind(this.#slots.length)
    if (left === undefined) this.#ended = end
    else this.stopFor(left, undefined)
    this.#events.onChange()
  }
}

const passOver = new Error('the function no longer waits for it')

function isFunctionCall({ work }: Slot): boolean {
  return work.kind === 'call' && work.child.isFunction
}

function errorOf(slot: Slot, cause: { readonly message: string; readonly code?: string | undefined }): Error {
  if (cause.code === 'FUNCTION_CANCELLED') return new FunctionCancelledError(slot.name, cause.message)
  return new FunctionStepFailedError(slot.name, cause)
}

/** Resolves when the code of the function waits again: after all that is ready to run now. */
export async function codeWaits(): Promise<void> {
  await new Promise<void>((resolve) => void setImmediate(resolve))
}
