// @ts-check
/** Sleeping functions: plans whose only step waits for a time, days away for nearly all of them, and a worker that starts beside them. */
import { postgres, sqlite } from './harness/stores.mjs'
import { sleepers } from './sleepers/measure.mjs'

export const packages = [
  '@agentm/harness',
  '@agentm/nodes-sqlite',
  '@photostructure/sqlite',
  '@agentm/nodes-postgres',
  'pg',
]

/** The worker has started within 2 s, stays within 300 MB, and starts each function within 1 s of its time. */
const goals = [
  /** @type {const} */ ({ of: 'value', atMost: 2 }),
  { count: 'MB', atMost: 300 },
  { count: 'ms late at worst', atMost: 1000 },
]

/** @type {readonly import('./frame.mjs').Case[]} */
export const cases = [
  sleeping(sqlite, { count: 10_000, watchedMs: 60_000 }),
  sleeping(sqlite, { count: 100_000, watchedMs: 60_000 }),
  { ...sleeping(sqlite, { count: 1_000_000, watchedMs: 180_000 }), full: true },
  { ...sleeping(postgres, { count: 100_000, watchedMs: 90_000 }), full: true, goals: [] },
]

/** @param {import('./harness/stores.mjs').Home} home @param {{ readonly count: number, readonly watchedMs: number }} full @returns {import('./frame.mjs').Case} */
function sleeping(home, full) {
  const { count } = full
  return {
    id: `W6-${home.name}-${count >= 1_000_000 ? `${count / 1_000_000}m` : `${count / 1000}k`}`,
    what: `a worker starts beside ${count.toLocaleString('en')} sleeping functions`,
    unit: 's',
    better: 'less',
    goals,
    measure: sleepers(home, full),
  }
}
