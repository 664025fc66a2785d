/** Sorts the times that are due: which starts are made, which have to wait in line, and which are left out. */
import type { CatchUp, Skipped } from '../schedule.ts'
import type { DueSlots } from './due-slots.ts'

export interface Sorted {
  /** Missed starts that are caught up one after another. */
  readonly line: readonly number[]
  /** The start that the overlap policy decides about. */
  readonly ordinary?: { readonly slot: number; readonly as: 'due' | 'missed' }
  readonly skipped: readonly Skipped[]
}

export function catchUp({ slots, isOnTime, earlier }: DueSlots, policy: CatchUp, now: number): Sorted {
  const newest = slots.at(-1)
  const missed = isOnTime ? slots.slice(0, -1) : slots
  const before = earlier === undefined ? [] : [earlierSkipped(earlier, policy)]
  if (policy.missed === 'all') return everyMissed({ missed, newest, isOnTime, before }, policy, now)
  const onTime = isOnTime && newest !== undefined ? { ordinary: { slot: newest, as: 'due' as const } } : {}
  if (policy.missed === 'last' && !isOnTime && newest !== undefined && !isTooOld(newest, policy, now))
    return {
      line: [],
      ordinary: { slot: newest, as: 'missed' },
      skipped: merged([...before, ...left(missed.slice(0, -1), 'missed')]),
    }
  const why = policy.missed === 'last' && !isOnTime ? 'too old' : 'missed'
  return { line: [], ...onTime, skipped: merged([...before, ...left(missed, why)]) }
}

interface Missed {
  readonly missed: readonly number[]
  readonly newest: number | undefined
  readonly isOnTime: boolean
  readonly before: readonly Skipped[]
}

function everyMissed({ missed, newest, isOnTime, before }: Missed, policy: CatchUp, now: number): Sorted {
  const old = missed.filter((slot) => isTooOld(slot, policy, now))
  const young = missed.slice(old.length)
  const line = young.slice(-policy.max)
  const excess = young.slice(0, young.length - line.length)
  const skipped = merged([...before, ...left(old, 'too old'), ...left(excess, 'over the maximum')])
  if (!isOnTime || newest === undefined) return { line, skipped }
  // What is on time comes after what is caught up.
  return line.length === 0
    ? { line, ordinary: { slot: newest, as: 'due' }, skipped }
    : { line: [...line, newest], skipped }
}

function isTooOld(slot: number, { withinMs = Infinity }: CatchUp, now: number): boolean {
  return now - slot > withinMs
}

function earlierSkipped({ from, to, count, more }: NonNullable<DueSlots['earlier']>, policy: CatchUp): Skipped {
  const why = policy.missed === 'all' ? 'over the maximum' : 'missed'
  return { from: iso(from), to: iso(to), count, ...(more && { more }), why }
}

/** One entry for all of them. */
export function left(slots: readonly number[], why: Skipped['why']): readonly Skipped[] {
  const [first, last] = [slots[0], slots.at(-1)]
  if (first === undefined || last === undefined) return []
  return [{ from: iso(first), to: iso(last), count: slots.length, why }]
}

/** Neighbours that were left out for the same reason become one entry. */
function merged(entries: readonly Skipped[]): readonly Skipped[] {
  const all: Skipped[] = []
  for (const entry of entries) {
    const last = all.at(-1)
    if (last?.why !== entry.why) all.push(entry)
    else
      all[all.length - 1] = {
        ...last,
        to: entry.to,
        count: last.count + entry.count,
        ...((last.more ?? entry.more) && { more: true }),
      }
  }
  return all
}

export function iso(at: number): string {
  return new Date(at).toISOString()
}
