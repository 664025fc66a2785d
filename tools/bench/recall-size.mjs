// @ts-check
/**
 * Recall among many and long notes: indexing, the first answer, warm and cold answers, memory, and hooks on an idle and on a busy
 * machine. One kind for one size: `npm run bench -- recall-size --only hooks-2k`.
 */
import {
  coldProcess,
  firstAnswer,
  indexing,
  keptCode,
  promptHooks,
  resident,
  sessionStart,
  warm,
} from './recall/at-size.mjs'

const short = 1250
const long = 8000
/** @typedef {{ readonly id: string, readonly among: string, readonly notes: number, readonly bytes: number }} Named */
const few = { id: '272', among: '272 notes', notes: 272, bytes: short }
const some = { id: '2k', among: '2,000 notes of 1.25 kB', notes: 2000, bytes: short }
const usual = { id: '5k', among: '5,000 notes of 1.25 kB', notes: 5000, bytes: short }
const many = { id: '20k', among: '20,000 notes of 1.25 kB', notes: 20_000, bytes: short }
const heavy = { id: '6k', among: '6,000 notes of 8 kB', notes: 6000, bytes: long }

export const packages = ['@agentm/memory', '@agentm/nodes-sqlite', '@photostructure/sqlite']

/** @type {readonly import('./frame.mjs').Case[]} */
export const cases = [few, some, usual, heavy, many].flatMap(casesOf)

/** In this order, because the first ones remove the index. @param {Named} named @returns {readonly import('./frame.mjs').Case[]} */
function casesOf({ id, among, ...size }) {
  const isLarge = id === '6k' || id === '20k'
  const less = { better: /** @type {const} */ ('less') }
  const ms = { unit: 'ms', ...less }
  const seconds = { unit: 's', ...less }
  const hook = {
    ...ms,
    goals: [
      { of: /** @type {const} */ ('value'), atMost: 150 },
      { count: 'answered', is: 20 },
    ],
  }
  const hooks = [
    { id: `hooks-${id}`, what: `p95 CPU of hook prompt-submit, ${among}`, ...hook, measure: promptHooks(size) },
    {
      id: `hooks-${id}-load`,
      what: `p95 CPU of hook prompt-submit, ${among}, beside 8 busy processes`,
      ...hook,
      measure: promptHooks(size, { busy: 8 }),
    },
  ]
  const cold = {
    id: `cold-${id}`,
    what: `CPU of agentm recall from nothing, ${among}`,
    ...ms,
    goals: [
      { of: /** @type {const} */ ('value'), atMost: isLarge ? 250 : 150 },
      { count: 'peak MB', atMost: 150 },
    ],
    measure: coldProcess(size),
  }
  const kept = {
    id: `code-${id}`,
    what: `p50 CPU of hook prompt-submit, ${among}, with compiled code of the run before`,
    ...ms,
    goals: [{ of: /** @type {const} */ ('compiled again'), atLeast: 1.1 }],
    measure: keptCode(size),
  }
  if (id === '272') return [...hooks, kept]
  const asked = [
    {
      id: `warm-${id}`,
      what: `p50 of recall, ${among}`,
      ...ms,
      goals: [{ of: 'SQLite FTS5', atLeast: 0.67 }],
      measure: warm(size),
    },
    cold,
    {
      id: `resident-${id}`,
      what: `peak memory of a process that stays, ${among}`,
      unit: 'MB',
      ...less,
      goals: [{ of: /** @type {const} */ ('value'), atMost: 150 }],
      measure: resident(size),
    },
    ...hooks,
    {
      id: `start-${id}`,
      what: `CPU of hook session-start, ${among}`,
      ...ms,
      goals: [{ of: /** @type {const} */ ('value'), atMost: 500 }],
      measure: sessionStart(size),
    },
  ]
  const indexed = [
    {
      id: `first-${id}`,
      what: `CPU of agentm recall before anything is indexed, ${among}`,
      ...seconds,
      goals: [{ of: /** @type {const} */ ('value'), atMost: 2 }],
      measure: firstAnswer(size),
    },
    {
      id: `index-${id}`,
      what: `CPU of reindex without vectors, ${among}`,
      ...seconds,
      goals: [
        { of: /** @type {const} */ ('value'), atMost: 8 },
        { count: '% of notes', atMost: 200 },
      ],
      measure: indexing(size, 'none'),
    },
    {
      id: `vectors-${id}`,
      what: `CPU of reindex with vectors of a model server, ${among}`,
      ...seconds,
      goals: [{ of: /** @type {const} */ ('value'), atMost: 90 }],
      measure: indexing(size, 'openai'),
    },
  ]
  const nodes = {
    id: 'nodes-200k',
    what: 'p50 of recall among 5,000 notes and 200,000 episodes',
    ...ms,
    goals: [{ of: /** @type {const} */ ('value'), atMost: 60 }],
    // Last of its size: what is added to the log stays there.
    measure: warm({ ...size, episodes: 200_000 }),
  }
  return [...indexed, ...asked, ...(id === '5k' ? [nodes] : [])]
}
