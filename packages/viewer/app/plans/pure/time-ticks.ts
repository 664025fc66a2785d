/** Round moments for the axis of a timeline, counted from its beginning. */
const steps = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000,
  900_000, 1_800_000, 3_600_000, 7_200_000, 14_400_000, 28_800_000, 43_200_000, 86_400_000, 172_800_000, 604_800_000,
] as const

/** At most `most` times between `from` and `to`, both after `origin`. */
export function timeTicks({
  from,
  to,
  origin,
  most,
}: {
  readonly from: number
  readonly to: number
  readonly origin: number
  readonly most: number
}): readonly number[] {
  const span = Math.max(1, to - from)
  const last = steps.at(-1) ?? 1
  const wanted = span / Math.max(1, most)
  const step = steps.find((each) => each >= wanted) ?? Math.ceil(wanted / last) * last
  const first = Math.ceil((from - origin) / step)
  const ticks: number[] = []
  for (let i = first; origin + i * step <= to; i++) ticks.push(origin + i * step)
  return ticks
}
