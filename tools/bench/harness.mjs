// @ts-check
/** The harness with plans whose steps do nothing, compared with claiming and completing by hand, and with other libraries. */
import { fanOut } from './harness/fan-out.mjs'
import { postgres, sqlite } from './harness/stores.mjs'
import { takeover } from './harness/takeover.mjs'
import { smallTenants } from './harness/tenants.mjs'
import { throughput } from './harness/throughput.mjs'
import { wakes } from './harness/wakes.mjs'

export const packages = [
  '@agentm/harness',
  '@agentm/nodes-sqlite',
  '@photostructure/sqlite',
  '@agentm/nodes-postgres',
  'pg',
  'openworkflow',
  'pg-boss',
  'graphile-worker',
]

const most = { sqlite: 300, postgres: 700 }
const ofFloor = { sqlite: { 1: 0.5, 16: 0.5 }, postgres: { 1: 0.7, 16: 0.5 } }

/** @type {readonly import('./frame.mjs').Case[]} */
export const cases = [sqlite, postgres].flatMap((home) => [
  ...[/** @type {const} */ (1), /** @type {const} */ (16)].flatMap((concurrency) => [
    {
      id: `W1-${home.name}-${concurrency}`,
      what: `durable steps, ${concurrency} at once`,
      unit: 'steps/s',
      better: /** @type {const} */ ('more'),
      goals: [{ of: 'floor', atLeast: ofFloor[home.name][concurrency] }],
      measure: throughput(home, { concurrency, level: 'full' }),
    },
    {
      id: `W1-${home.name}-${concurrency}-normal`,
      what: `steps that outlive a process and no power loss, ${concurrency} at once`,
      unit: 'steps/s',
      better: /** @type {const} */ ('more'),
      goals: [],
      measure: throughput(home, { concurrency, level: 'normal' }),
    },
  ]),
  ...[/** @type {const} */ (1), /** @type {const} */ (2)].map((processes) => ({
    id: `W2-${home.name}${processes === 1 ? '' : '-two'}`,
    what: `an idle worker starts a step${processes === 1 ? '' : ', planned in another process'}`,
    unit: 'ms',
    better: /** @type {const} */ ('less'),
    goals: [
      /** @type {const} */ ({ of: 'value', atMost: 5 }),
      { count: 'ms p99', atMost: 25 },
    ],
    measure: wakes(home, { processes }),
  })),
  {
    id: `W3-${home.name}-1k`,
    what: 'fan-out to 1,000 steps and in again',
    unit: 'ms',
    better: /** @type {const} */ ('less'),
    goals: [/** @type {const} */ ({ of: 'value', atMost: most[home.name] })],
    measure: fanOut(home, 1000),
  },
  {
    id: `W3-${home.name}-10k`,
    what: 'fan-out to 10,000 steps, against 1,000',
    unit: 'times as long',
    better: /** @type {const} */ ('less'),
    goals: [/** @type {const} */ ({ of: 'value', atMost: 12 })],
    measure: fanOut(home, 10_000),
  },
  {
    id: `W4-${home.name}`,
    what: 'a killed worker’s step goes on',
    unit: 'ms',
    better: /** @type {const} */ ('less'),
    goals: [
      /** @type {const} */ ({ of: 'value', atMost: 2000 }),
      { count: 'ms at worst', atMost: 2000 },
    ],
    measure: takeover(home),
  },
  {
    id: `W5-${home.name}`,
    what: '199 small tenants behind 10,000 steps',
    unit: 'ms',
    better: /** @type {const} */ ('less'),
    goals: [
      /** @type {const} */ ({ of: 'value', atMost: 150 }),
      { of: 'floor', atLeast: 0.7 },
    ],
    measure: smallTenants(home),
  },
])
