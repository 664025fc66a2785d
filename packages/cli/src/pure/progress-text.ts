/** How far a long command is, in one line. */
export interface ProgressAt {
  readonly doing: string
  readonly done: number
  /** Absent where nobody knows it before the end. */
  readonly total?: number | undefined
  readonly tookMs: number
}

/** `Making vectors: 1,200 of 5,000, 400 a second, about 10 s left`. The rate is left out while nothing is known about it. */
export function progressText({ doing, done, total, tookMs }: ProgressAt): string {
  const all = total === undefined ? undefined : number(total)
  const head = `${doing}: ${number(done).padStart(all?.length ?? 0)}${all === undefined ? '' : ` of ${all}`}`
  if (done <= 0 || tookMs <= 0) return head
  const rate = done / (tookMs / 1000)
  const left = total === undefined || total <= done ? '' : `, about ${span((total - done) / rate)} left`
  return `${head}, ${rateText(rate)}${left}`
}

function rateText(aSecond: number): string {
  return aSecond >= 1 ? `${number(Math.round(aSecond))} a second` : `${number(Math.round(aSecond * 60))} a minute`
}

function span(seconds: number): string {
  if (seconds < 100) return `${Math.ceil(seconds)} s`
  const minutes = Math.ceil(seconds / 60)
  return minutes < 100 ? `${minutes} min` : `${Math.ceil(minutes / 60)} h`
}

function number(value: number): string {
  return value.toLocaleString('en')
}
