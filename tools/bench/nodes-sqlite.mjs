// @ts-check
/** The node log: appends, claims, reads and recall, beside hand-written SQL of the same shape and sqlite-vec. */
import { filledStores, openOurs } from './nodes/filled.mjs'
import { growthCases } from './nodes/growth.mjs'
import { million } from './nodes/million.mjs'
import { cold, latest, recall, scan } from './nodes/reads.mjs'
import { appends, claims } from './nodes/writes.mjs'

const vec = 'sqlite-vec, one statement'

export const packages = ['@agentm/nodes', '@agentm/nodes-sqlite', '@photostructure/sqlite', 'sqlite-vec']

/** @type {readonly import('./frame.mjs').Case[]} */
export const cases = [
  {
    id: 'N1-sqlite',
    what: 'one durable append',
    unit: 'appends/s',
    better: 'more',
    goals: [{ of: 'floor', atLeast: 0.7 }],
    measure: appends(1, 300),
  },
  {
    id: 'N2-sqlite',
    what: 'durable batches of 1,000',
    unit: 'nodes/s',
    better: 'more',
    goals: [{ of: 'floor', atLeast: 0.5 }],
    measure: appends(1000, 1),
  },
  { id: 'N3-sqlite', what: 'claims, one by one', unit: 'claims/s', better: 'more', goals: [], measure: claims },
  { id: 'N4-sqlite', what: 'latest version of an id', unit: 'µs', better: 'less', goals: [], measure: latest },
  { id: 'N5-sqlite', what: 'newest 50 of a concept', unit: 'µs', better: 'less', goals: [], measure: scan },
  {
    id: 'N6-sqlite-10k',
    what: 'recall by meaning and time',
    unit: 'ms',
    better: 'less',
    goals: [],
    measure: recall(10_000, { words: false }),
  },
  {
    id: 'N6-sqlite-100k',
    what: 'recall by meaning and time',
    unit: 'ms',
    better: 'less',
    goals: [{ of: vec, atLeast: 5 }],
    measure: recall(100_000, { words: false }),
  },
  {
    id: 'N7-sqlite-10k',
    what: 'recall by meaning, words and time',
    unit: 'ms',
    better: 'less',
    goals: [],
    measure: recall(10_000, { words: true }),
  },
  {
    id: 'N7-sqlite-100k',
    what: 'recall by meaning, words and time',
    unit: 'ms',
    better: 'less',
    goals: [{ of: 'value', atMost: 40 }],
    measure: recall(100_000, { words: true }),
  },
  {
    id: 'N8-sqlite-100k',
    what: 'cold open to first recall',
    unit: 'ms',
    better: 'less',
    goals: [{ of: 'value', atMost: 100 }],
    measure: cold,
  },
  {
    id: 'N9-sqlite-1m',
    what: 'claim at a million nodes, against an empty store (5 to 12 minutes)',
    unit: 'times as long',
    better: 'less',
    goals: [{ of: 'value', atMost: 1.5 }],
    full: true,
    measure: million(async (scratch) => {
      const store = await openOurs(scratch)
      return { store, remove: async () => store.close() }
    }),
  },
  ...growthCases('sqlite', filledStores),
]
