/**
 * How many versions were written on each of the last days, without reading them: the log is in order, so the beginning of a day is searched for,
 * and kept, because what is before it does not change.
 */
import type { DayFacts } from '../contract/health.ts'
import type { Log } from './log.ts'

/** Concepts that most of a log consists of. The next entry is looked for in each, which an index answers. */
const concepts = ['v1:harness:step', 'v1:harness:observation', 'v1:sessions:turn'] as const
const mostKept = 100

export class LogGrowth {
  readonly #starts = new Map<number, number>()

  /** `days` are the beginnings of the days, oldest first. */
  async days(log: Log, owner: string, days: readonly number[]): Promise<readonly DayFacts[]> {
    const end = await log.position()
    const starts: number[] = []
    for (const day of days) {
      const start =
        this.#starts.get(day) ?? (await positionAt(log, { owner, time: day, from: starts.at(-1) ?? 0, end }))
      this.#keep(day, start)
      starts.push(start)
    }
    return days.map((from, i) => ({ from, versions: Math.max(0, (starts[i + 1] ?? end) - (starts[i] ?? end)) }))
  }

  #keep(day: number, start: number): void {
    this.#starts.set(day, start)
    for (const oldest of this.#starts.keys()) {
      if (this.#starts.size <= mostKept) break
      this.#starts.delete(oldest)
    }
  }
}

interface Search {
  readonly owner: string
  readonly time: number
  readonly from: number
  readonly end: number
}

/** The position after which everything was written at this time or later. */
async function positionAt(log: Log, { owner, time, from, end }: Search): Promise<number> {
  let [low, high] = [from, end]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const next = await nextAfter(log, owner, middle)
    if (next === undefined || next.createdAt >= time) high = middle
    else low = Math.min(high, next.seq)
  }
  return low
}

async function nextAfter(log: Log, owner: string, after: number) {
  const pages = await Promise.all(concepts.map((concept) => log.scan({ owner, concepts: [concept], after, limit: 1 })))
  const [first, ...others] = pages.flatMap(({ nodes }) => nodes.slice(0, 1))
  return others.reduce((earliest, node) => (earliest !== undefined && earliest.seq < node.seq ? earliest : node), first)
}
