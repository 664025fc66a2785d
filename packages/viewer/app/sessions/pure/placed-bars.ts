/** Where the turns of a session stand in its overview, in percent. Pauses are drawn short, so that a session of three days shows its turns. */
import type { TurnBar } from '../../../src/contract/sessions.ts'

export interface PlacedBar {
  readonly id: string
  readonly left: number
  readonly width: number
}

export interface Pause {
  readonly at: number
  readonly ms: number
}

/** The longest pauses are cut to this share of the time that was worked, and no others. */
const pauseShare = 1 / 40
const leastCutMs = 5 * 60_000
const mostCuts = 24
const leastWidth = 0.35

export function placedBars(bars: readonly TurnBar[]): {
  readonly placed: readonly PlacedBar[]
  readonly pauses: readonly Pause[]
} {
  const begin = Math.min(...bars.map(([, from]) => from))
  const end = Math.max(...bars.map(([, , to]) => to))
  const pauses = pausesIn(bars)
  const worked = end - begin - pauses.reduce((sum, { ms }) => sum + ms, 0)
  const shownMs = Math.max(leastCutMs, worked * pauseShare)
  const cuts = longest(pauses.filter(({ ms }) => ms > shownMs))
  const cutBefore = (at: number) => cuts.reduce((sum, { until, ms }) => (until <= at ? sum + ms - shownMs : sum), 0)
  const whole = Math.max(1, end - begin - cutBefore(Infinity))
  const place = (at: number) => (100 * (at - begin - cutBefore(at))) / whole
  return {
    placed: bars.map(([id, from, to]) => {
      const left = Math.min(100 - leastWidth, place(from))
      return { id, left, width: Math.max(leastWidth, Math.min(100, place(to)) - left) }
    }),
    pauses: cuts.map(({ until, ms }) => ({ at: place(until) - (50 * shownMs) / whole, ms })),
  }
}

interface Gap {
  readonly until: number
  readonly ms: number
}

/** The times at which nobody worked. */
function pausesIn(bars: readonly TurnBar[]): readonly Gap[] {
  const gaps: Gap[] = []
  let reached = bars[0]?.[2] ?? 0
  for (const [, from, to] of bars) {
    if (from > reached) gaps.push({ until: from, ms: from - reached })
    reached = Math.max(reached, to)
  }
  return gaps
}

function longest(gaps: readonly Gap[]): readonly Gap[] {
  if (gaps.length <= mostCuts) return gaps
  const least = gaps.map(({ ms }) => ms).toSorted((a, b) => b - a)[mostCuts] ?? 0
  return gaps.filter(({ ms }) => ms > least)
}
