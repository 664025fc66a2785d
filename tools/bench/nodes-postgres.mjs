// @ts-check
/** The node log on PostgreSQL: appends, claims, reads and recall, compared with hand-written SQL for the same data and with pgvector. */
import { growthCases } from './nodes/growth.mjs'
import { million } from './nodes/million.mjs'
import { openMillion } from './nodes-postgres/million.mjs'
import { cold, filledStores, latest, recall, scan } from './nodes-postgres/reads.mjs'
import { appends, claims, wakes } from './nodes-postgres/writes.mjs'

export { close } from './nodes-postgres/own-store.mjs'

export const packages = ['@agentm/nodes', '@agentm/nodes-postgres', 'pg']

/** @type {readonly import('./frame.mjs').Case[]} */
export const cases = [
  {
    id: 'N1-postgres',
    what: 'one durable append',
    unit: 'appends/s',
    better: 'more',
    goals: [{ of: 'floor', atLeast: 0.7 }],
    measure: appends(1, 100),
  },
  {
    id: 'N2-postgres',
    what: 'durable batches of 1,000',
    unit: 'nodes/s',
    better: 'more',
    goals: [{ of: 'floor', atLeast: 0.5 }],
    measure: appends(1000, 1),
  },
  { id: 'N3-postgres', what: 'claims, one by one', unit: 'claims/s', better: 'more', goals: [], measure: claims },
  { id: 'N4-postgres', what: 'latest version of an id', unit: 'µs', better: 'less', goals: [], measure: latest },
  { id: 'N5-postgres', what: 'newest 50 of a concept', unit: 'µs', better: 'less', goals: [], measure: scan },
  ...[10_000, 100_000].flatMap((size) => [
    {
      id: `N6-postgres-${size / 1000}k`,
      what: 'recall by meaning and time',
      unit: 'ms',
      better: /** @type {const} */ ('less'),
      goals: [],
      measure: recall(size, { words: false }),
    },
    {
      id: `N7-postgres-${size / 1000}k`,
      what: 'recall by meaning, words and time',
      unit: 'ms',
      better: /** @type {const} */ ('less'),
      goals: [],
      measure: recall(size, { words: true }),
    },
  ]),
  {
    id: 'N8-postgres-100k',
    what: 'cold open to first recall',
    unit: 'ms',
    better: 'less',
    goals: [{ of: 'value', atMost: 100 }],
    measure: cold,
  },
  {
    id: 'N10-postgres',
    what: 'an append reaches a feed in another connection',
    unit: 'ms',
    better: 'less',
    goals: [{ of: 'value', atMost: 5 }],
    measure: wakes,
  },
  {
    id: 'N9-postgres-1m',
    what: 'claim at a million nodes, against an empty store (15 to 30 minutes)',
    unit: 'times as long',
    better: 'less',
    goals: [{ of: 'value', atMost: 1.5 }],
    full: true,
    measure: million(openMillion),
  },
  ...growthCases('postgres', filledStores),
]
