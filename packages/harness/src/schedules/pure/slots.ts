/** The times of a schedule, in order, without end. Cron expressions and intervals have the same form. */

/** Asked for the neighbours of a time, in epoch milliseconds. */
export interface Slots {
  /** The first one after this time. */
  next(after: number): number | undefined
  /** The last one before this time. */
  previous(before: number): number | undefined
}

/** Whole intervals after the anchor. The anchor itself is the first one. */
export function intervalSlots({ everyMs, anchor }: { readonly everyMs: number; readonly anchor: number }): Slots {
  const at = (n: number): number | undefined => (n < 0 ? undefined : anchor + n * everyMs)
  return {
    next: (after) => at(Math.max(0, Math.floor((after - anchor) / everyMs) + 1)),
    previous: (before) => at(Math.ceil((before - anchor) / everyMs) - 1),
  }
}

/** The times from the first limit to the second, both included. */
export function slotsWithin(
  slots: Slots,
  { from = -Infinity, to = Infinity }: { readonly from?: number | undefined; readonly to?: number | undefined },
): Slots {
  const inside = (slot: number | undefined): number | undefined =>
    slot === undefined || slot < from || slot > to ? undefined : slot
  return {
    next: (after) => inside(slots.next(Math.max(after, from - 1))),
    previous: (before) => inside(slots.previous(Math.min(before, to + 1))),
  }
}
