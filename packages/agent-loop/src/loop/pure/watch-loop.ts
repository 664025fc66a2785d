/**
 * Whether a model goes round in circles: the same call with the same result, three times running or five times in all.
 * The same call with another result is progress. Tools that poll are expected to repeat themselves and have a cap of
 * their own.
 */
export interface LoopLimits {
  /** Times running. */
  readonly run: number
  /** Times in all. */
  readonly total: number
  /** Times in all with the same result, for a tool that polls. */
  readonly polls: number
}

export const defaultLoopLimits: LoopLimits = { run: 3, total: 5, polls: 60 }

/** Plain data, so that it can be kept and taken up again. */
export interface LoopWatch {
  readonly totals: Readonly<Record<string, number>>
  readonly last: string
  readonly run: number
}

export const freshWatch: LoopWatch = { totals: {}, last: '', run: 0 }

export interface ObservedCall {
  readonly signature: string
  /** What came back, or a fingerprint of it. */
  readonly result: string
  readonly polling: boolean
}

export interface Trip {
  readonly rule: 'run' | 'total' | 'polls'
  readonly times: number
}

export function watchLoop(
  watch: LoopWatch,
  { signature, result, polling }: ObservedCall,
  limits: LoopLimits = defaultLoopLimits,
): { readonly watch: LoopWatch; readonly trip: Trip | undefined } {
  const seen = JSON.stringify([signature, result])
  const total = (watch.totals[seen] ?? 0) + 1
  const run = watch.last === seen ? watch.run + 1 : 1
  const next = { totals: { ...watch.totals, [seen]: total }, last: seen, run }
  return { watch: next, trip: polling ? tripOfPolls(total, limits) : tripOf(total, run, limits) }
}

function tripOf(total: number, run: number, limits: LoopLimits): Trip | undefined {
  if (total >= orDefault(limits.total, 'total')) return { rule: 'total', times: total }
  return run >= orDefault(limits.run, 'run') ? { rule: 'run', times: run } : undefined
}

function tripOfPolls(total: number, limits: LoopLimits): Trip | undefined {
  return total >= orDefault(limits.polls, 'polls') ? { rule: 'polls', times: total } : undefined
}

function orDefault(limit: number, of: keyof LoopLimits): number {
  return limit > 0 ? limit : defaultLoopLimits[of]
}
