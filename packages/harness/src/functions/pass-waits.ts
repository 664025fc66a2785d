/** What a pass waits for outside of it: times, messages (signals and answers are among them) and the ends of children. */
import type { Wait } from '../step.ts'
import type { Entry } from './entry.ts'
import type { EntryChange } from './function-log.ts'
import type { Message } from './mailbox.ts'
import type { PassDesk } from './pass-desk.ts'
import { isQuestionOpen } from './entry.ts'
import { askedBy, functionWait, type OpenWait } from './pure/function-wait.ts'
import { isOutcomeUnknown } from './pure/outcome-question.ts'
import { answerTo, settleWait } from './pure/settle-wait.ts'
import { Slot } from './slot.ts'

export class PassWaits {
  readonly #desk: PassDesk
  #messages: readonly Message[] = []
  readonly #taken = new Set<number>()
  #isCancelHeard = false
  /** When each wait was looked at first. */
  readonly #begun = new WeakMap<Slot, number>()

  constructor(desk: PassDesk) {
    this.#desk = desk
  }

  /** What earlier passes took and heard. */
  recall({ taken, isCancelled }: { readonly taken: readonly number[]; readonly isCancelled: boolean }): void {
    for (const number of taken) this.#taken.add(number)
    this.#isCancelHeard = isCancelled
  }

  /** Reads the messages, and whether children have ended. */
  async readNews(): Promise<void> {
    const { log } = this.#desk.settings
    this.#messages = await log.messages()
    for (const slot of this.#desk.open) {
      const { work, childPlanId } = slot
      if (work.kind !== 'call' || slot.state !== 'waiting' || childPlanId === undefined) continue
      if (slot.cancelled !== undefined) await log.cancelChild(childPlanId, slot.cancelled)
      slot.childEnd = await log.childEnd(childPlanId, work.child)
    }
  }

  answerTo(questionId: string): unknown {
    return answerTo(questionId, this.#messages)
  }

  /**
   * Ends the first wait that is over. Only one: what the function does next decides whether the others still matter, and a message that
   * nobody waits for any more must not be taken.
   */
  settleOne(): void {
    const cancel = this.#isCancelHeard ? undefined : this.#messages.find(({ say }) => say === 'cancel')
    if (cancel !== undefined) {
      this.#isCancelHeard = true
      this.#desk.queue({ slot: Slot.forCancel(cancel.name), change: { status: 'done' } })
      return
    }
    for (const slot of this.#desk.open) {
      const change = slot.state === 'waiting' ? this.#endOf(slot) : undefined
      if (change === undefined) continue
      if (change.message !== undefined) this.#taken.add(change.message)
      slot.state = 'live'
      this.#desk.queue({ slot, change })
      return
    }
  }

  /** The time at which the next wait ends by itself. */
  nextTime(): number {
    let next = Infinity
    for (const slot of this.#desk.open) {
      if (slot.state !== 'waiting') continue
      const { until, retryAt } = this.#waitOf(slot)
      next = Math.min(next, until ?? Infinity, retryAt ?? Infinity)
    }
    return next
  }

  /** Whether nobody has to see what the function waits for: it asks nobody a question. */
  get areOwn(): boolean {
    return ![...this.#desk.open].some(({ op, entry }) => op === 'ask' || isOutcomeUnknown(entry))
  }

  /** Waits that are not recorded yet. Their time counts from now, also after a crash; a question can be answered from now on. */
  fresh(): readonly { readonly slot: Slot; readonly change: EntryChange }[] {
    return [...this.#desk.open].filter(isUnrecorded).map((slot) => {
      const wait = this.#waitOf(slot)
      const { until } = wait
      const { position, op, name } = slot
      const facts = { ...this.#beginningOf(slot), ...(until !== undefined && { until }) }
      const asked = op === 'ask' ? ({ status: 'asking', question: askedBy(wait) } as const) : undefined
      return { slot, change: { position, op, name, status: 'waiting', ...asked, ...facts } }
    })
  }

  /** What the run as a whole waits for. */
  all(): Extract<Wait, { for: 'function' }> {
    const waits = [...this.#desk.open].filter(({ state }) => state === 'waiting').map((slot) => this.#waitOf(slot))
    return functionWait(waits, this.#messages.at(-1)?.number ?? 0)
  }

  #endOf(slot: Slot): Omit<EntryChange, 'position' | 'op' | 'name'> | undefined {
    const { settings } = this.#desk
    const beginning = this.#beginningOf(slot)
    const { childEnd: end } = slot
    if (slot.work.kind === 'call') return end && { ...beginning, ...childChange(end) }
    if (slot.work.kind !== 'wait') return undefined
    const messages = this.#messages.filter(({ number }) => !this.#taken.has(number))
    const ended = settleWait(this.#waitOf(slot), { now: settings.log.now(), messages })
    return ended && { ...beginning, ...ended }
  }

  /** What is recorded about a wait once, in its first version. */
  #beginningOf(slot: Slot): Pick<Entry, 'startedAt' | 'childPlanId' | 'calls'> {
    const { work, childPlanId } = slot
    if (slot.entry !== undefined) return {}
    const startedAt = this.#begunAt(slot)
    if (work.kind !== 'call' || childPlanId === undefined) return { startedAt }
    return { startedAt, childPlanId, calls: work.child.isFunction ? 'function' : 'plan' }
  }

  #waitOf(slot: Slot): OpenWait {
    const { position, op, name, work, entry, childPlanId } = slot
    const known = { position, op, name, childPlanId }
    if (work.kind === 'step') return { ...known, retryAt: entry?.retryAt }
    if (work.kind !== 'wait') return known
    const until = entry?.until ?? work.until ?? (work.ms === undefined ? undefined : this.#begunAt(slot) + work.ms)
    return { ...known, allowed: work.allowed, mayAnswer: work.mayAnswer, ...(until !== undefined && { until }) }
  }

  /** The end of a wait counts from the moment that it was looked at first. */
  #begunAt(slot: Slot): number {
    const at = this.#begun.get(slot) ?? this.#desk.settings.log.now()
    this.#begun.set(slot, at)
    return at
  }
}

/** A question that was withdrawn is asked again if the function, whose code was changed, waits for it after all. */
function isUnrecorded({ state, work, op, entry }: Slot): boolean {
  if (state !== 'waiting' || work.kind === 'step') return false
  return entry === undefined || (op === 'ask' && !isQuestionOpen(entry))
}

function childChange(end: NonNullable<Slot['childEnd']>): Pick<EntryChange, 'status' | 'value' | 'failure'> {
  if (end.status === 'done') return { status: 'done', value: end.value }
  const { message, status } = end
  return { status: 'failed', failure: { message, ...(status === 'cancelled' && { code: 'FUNCTION_CANCELLED' }) } }
}
