// @ts-check
/** Retention: nine tenths of a million nodes leave the log while workers go on. */
import { postgres, sqlite } from './harness/stores.mjs'
import { pruneMillion } from './retention/prune-million.mjs'

export { close } from './nodes-postgres/own-store.mjs'

export const packages = ['@agentm/harness', '@agentm/nodes-sqlite', '@agentm/nodes-postgres']

/** @type {readonly import('./frame.mjs').Case[]} */
export const cases = [
  {
    id: 'R1-sqlite-1m',
    what: 'longest wait of a worker while 900,000 of a million nodes are removed (about 10 minutes)',
    unit: 'ms',
    better: 'less',
    goals: [
      { of: 'value', atMost: 1000 },
      { count: 'lost', is: 0 },
      { count: 'problems', is: 0 },
      { count: 'stayed', is: 0 },
    ],
    full: true,
    measure: pruneMillion(sqlite),
  },
  {
    id: 'R1-postgres-1m',
    what: 'longest wait of a worker while 900,000 of a million nodes are removed (about 15 minutes)',
    unit: 'ms',
    better: 'less',
    goals: [
      { of: 'value', atMost: 1000 },
      { count: 'lost', is: 0 },
      { count: 'problems', is: 0 },
      { count: 'stayed', is: 0 },
    ],
    full: true,
    measure: pruneMillion(postgres),
  },
]
