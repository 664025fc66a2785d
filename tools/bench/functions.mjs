// @ts-check
/**
 * Three programs, each written for our durable functions, for DBOS and for OpenWorkflow: how long they are, and how many durable steps
 * they take each second on the same store.
 */
import { linesIn, speedOf } from './functions/measure.mjs'
import { orderSaga, rollout, subscription } from './functions/programs.mjs'
export { close } from './nodes-postgres/own-store.mjs'

export const packages = [
  '@agentm/harness',
  '@agentm/nodes-sqlite',
  '@photostructure/sqlite',
  '@agentm/nodes-postgres',
  'pg',
  'openworkflow',
  '@dbos-inc/dbos-sdk',
]

const programs = [
  { id: 'F1', program: orderSaga, what: 'orders, half of them taken back' },
  { id: 'F2', program: rollout, what: 'approval, then fan-out to 1,000' },
  { id: 'F3', program: subscription, what: 'subscriptions of a month' },
]
const peers = { sqlite: ['openworkflow'], postgres: ['dbos', 'openworkflow'] }

/** @type {readonly import('./frame.mjs').Case[]} */
export const cases = programs.flatMap(({ id, program, what }) => [
  {
    id: `${id}-lines`,
    what: `lines of the program: ${what}`,
    unit: 'lines',
    better: /** @type {const} */ ('less'),
    goals: peers.postgres.map((of) => ({ of, atLeast: 1.01 })),
    measure: linesIn(program),
  },
  ...[/** @type {const} */ ('sqlite'), /** @type {const} */ ('postgres')].flatMap((store) =>
    [/** @type {const} */ ('full'), /** @type {const} */ ('normal')].map((level) => ({
      id: `${id}-${store}${level === 'full' ? '' : `-${level}`}`,
      what: `${what}${level === 'full' ? '' : ', that outlive a process and no power loss'}`,
      unit: 'steps/s',
      better: /** @type {const} */ ('more'),
      goals: [
        ...peers[store].map((of) => ({ of, atLeast: 1 })),
        { count: 'doubles', is: 0 },
        { count: 'wrong', is: 0 },
      ],
      measure: speedOf(program, { store, level }),
    })),
  ),
])
