/**
 * Whether a model repeats itself: the same call with the same result, three times in a row or five times in total. The same call
 * with another result is progress. Polling tools are expected to repeat themselves and have a limit of their own.
 */
export interface LoopLimits {
  /** Repetitions in a row. */
  readonly run: number
  /** Repetitions in total. */
  readonly total: number
  /** Repetitions in total with the same result, for a polling tool. */
  readonly polls: number
}

export const defaultLoopLimits: LoopLimits = { run: 3, total: 5, polls: 60 }

/** Plain data, so that it can be stored in a checkpoint. */
export interface LoopWatch {
  readonly totals: Readonly<Record<string, number>>
  readonly last: string
  readonly run: number
}

export const freshWatch: LoopWatch = { totals: {}, last: '', run: 0 }

export interface ObservedCall {
  readonly signature: string
  /** The result, or a fingerprint of it. */
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
