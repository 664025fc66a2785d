// @ts-check
/** The storage plane: how fast a durable write is, and that nothing is lost, torn, left behind or entered twice. */
import { deadLocks } from './storage/dead-locks.mjs'
import { bareWrites, storeWrites } from './storage/durable-writes.mjs'
import { killedWriters } from './storage/killed-writers.mjs'
import { sharedNote } from './storage/shared-note.mjs'
import { storeKinds } from './storage/stores.mjs'

const peer = 'proper-lockfile + write-file-atomic'

export const packages = [
  '@agentm/vault-lock',
  '@agentm/backend-device-local',
  '@agentm/backend-vault',
  'unstorage',
  'write-file-atomic',
  'proper-lockfile',
]

/** @type {readonly import('./frame.mjs').Case[]} */
export const cases = [
  {
    id: 'S1',
    what: 'bare atomicWrite',
    unit: 'writes/s',
    better: 'more',
    goals: [{ of: 'floor', atLeast: 0.9 }],
    measure: bareWrites,
  },
  ...storeKinds.map((kind) => ({
    id: `S2-${kind}`,
    what: `a full write, ${kind}`,
    unit: 'writes/s',
    better: /** @type {const} */ ('more'),
    goals: [
      { of: 'floor', atLeast: 0.6 },
      { of: peer, atLeast: 1.1 },
    ],
    measure: storeWrites(kind),
  })),
  ...storeKinds.map((kind) => ({
    id: `S3-${kind}`,
    what: `8 processes × 50 updates of one note, ${kind}`,
    unit: 'updates/s',
    better: /** @type {const} */ ('more'),
    goals: [
      { count: 'lost', is: 0 },
      { of: peer, atLeast: 2 },
    ],
    measure: sharedNote(kind),
  })),
  {
    id: 'S3k',
    what: 'writers killed mid-write, both backends',
    unit: 's',
    better: 'less',
    goals: [
      { count: 'torn', is: 0 },
      { count: 'stray', is: 0 },
      { count: 'unwritten', is: 0 },
    ],
    measure: killedWriters,
  },
  {
    id: 'S5',
    what: 'a dead lock met by six processes',
    unit: 'double holders',
    better: 'less',
    goals: [{ count: 'doubles', is: 0 }],
    measure: deadLocks,
  },
]
