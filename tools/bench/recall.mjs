// @ts-check
/** How long recall takes: asked in a process that stays, from nothing, after a change, and from the hooks and servers of agents. */
import { changedNote, scanned } from './recall/looks.mjs'
import { coldRecall, promptHook } from './recall/from-nothing.mjs'
import { answered } from './recall/answered.mjs'
import { cases as mcp, packages as mcpPackages } from './mcp.mjs'

const small = { notes: 5000, episodes: 0 }
const large = { notes: 5000, episodes: 95_000 }

export const packages = [
  '@agentm/memory',
  '@agentm/nodes-sqlite',
  '@photostructure/sqlite',
  'minisearch',
  ...mcpPackages,
]

/** @type {readonly import('./frame.mjs').Case[]} */
export const cases = [
  {
    id: 'R2',
    what: 'a look for changes among 5,000 unchanged notes',
    unit: 'ms',
    better: 'less',
    goals: [
      { of: 'value', atMost: 1000 },
      { count: 'writes', is: 0 },
      { count: 'files changed', is: 0 },
    ],
    measure: scanned(small.notes),
  },
  {
    id: 'R4-100',
    what: 'agentm recall from nothing, 100 notes',
    unit: 'ms',
    better: 'less',
    goals: [{ of: 'value', atMost: 150 }],
    measure: coldRecall(100),
  },
  {
    id: 'R4-5k',
    what: 'agentm recall from nothing, 5,000 notes',
    unit: 'ms',
    better: 'less',
    goals: [{ of: 'value', atMost: 150 }],
    measure: coldRecall(small.notes),
  },
  {
    id: 'R5-5k',
    what: 'hook prompt-submit from nothing, 5,000 notes',
    unit: 'ms',
    better: 'less',
    goals: [
      { of: 'value', atMost: 300 },
      { count: 'silent', is: 0 },
      { count: 'half', is: 0 },
    ],
    measure: promptHook(small.notes),
  },
  {
    id: 'R3',
    what: 'one of 5,000 notes edited, until recall has answered by it',
    unit: 'ms',
    better: 'less',
    goals: [{ of: 'value', atMost: 50 }],
    measure: changedNote(small.notes),
  },
  ...mcp,
  // Last: what is added for the larger one stays there.
  .../** @type {const} */ ([
    ['5k', small, 'among 5,000 notes'],
    ['100k', large, 'among 5,000 notes and 95,000 episodes'],
  ]).flatMap(([id, size, among]) =>
    /** @type {const} */ (['p50', 'p95']).map((share) => ({
      id: `R1-${id}-${share}`,
      what: `${share} of recall ${among}`,
      unit: 'ms',
      better: /** @type {const} */ ('less'),
      goals: [],
      measure: answered(size, share),
    })),
  ),
]
