/** When a start is made: its time and a delay that is the same on every worker, so that all workers agree on it. */
import { createHash } from 'node:crypto'
import type { Slots } from './slots.ts'

export interface Jittered {
  readonly id: string
  readonly jitterMs: number
  readonly slots: Pick<Slots, 'next'>
}

/** The delay is shorter than the time to the next slot, so that starts keep their order. */
export function startTime(slot: number, { id, jitterMs, slots }: Jittered): number {
  if (jitterMs === 0) return slot
  const gap = (slots.next(slot) ?? Infinity) - slot
  return slot + Math.floor(fraction(id, slot) * Math.min(jitterMs, gap))
}

/** From 0 up to 1, by the schedule and the slot. */
function fraction(id: string, slot: number): number {
  const hash = createHash('sha256')
    .update(JSON.stringify([id, slot]))
    .digest()
  return hash.readUInt32BE(0) / 2 ** 32
}
