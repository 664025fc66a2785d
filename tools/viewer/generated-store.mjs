// @ts-check
/**
 * A log with plans as they would be after weeks of work, for the page of `agentm view`: attempts that failed, workers that were lost, questions
 * to people, tool calls with their cost, and one plan as large as anybody has. The same seed writes the same plans. Time is told, so that
 * a plan of two hours is written in a moment.
 */
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { seededRandom } from '../../packages/conformance/dist/logs/index.js'
import { harnessConcepts } from '../../packages/harness/dist/harness-concepts.js'
import { openSqliteStore } from '../../packages/nodes-sqlite/dist/index.js'

/**
 * @typedef {{ readonly key: string, readonly title: string, readonly kind: string, readonly dependsOn: readonly string[], readonly ms: number }} StepSpec
 * @typedef {{ readonly at: number, readonly draft: import('../../packages/nodes/dist/index.js').Draft }} Event
 * @typedef {'done' | 'failed' | 'running' | 'asks' | 'paused' | 'cancelled'} Ending
 */

const planName = 'v1:harness:plan'
const stepName = 'v1:harness:step'
const observationName = 'v1:harness:observation'
const goals = [
  'Release 1.4 with signed packages',
  'Migrate the billing tables to the new schema',
  'Find why the nightly import takes four hours',
  'Translate the handbook into Portuguese',
  'Review the authentication of the public API',
  'Summarise what customers asked for in October',
  'Make the search page load in under a second',
  'Replace the deprecated payment client',
]
const projects = ['harbour', 'lighthouse', 'tidewater', '_global']
const tools = ['read_file', 'run_tests', 'search', 'edit_file', 'http_get']

/**
 * @param {{ readonly home: string, readonly owner: string, readonly plans?: number, readonly bigSteps?: number, readonly now?: number,
 *   readonly seed?: number }} wanted
 */
export async function generateStore({ home, owner, plans = 300, bigSteps = 10_000, now = Date.now(), seed = 7 }) {
  const random = seededRandom(seed)
  let clock = now
  let ids = 0
  const runtime = { now: () => clock, newId: () => hex(seed, ++ids) }
  await mkdir(path.join(home, 'log'), { recursive: true })
  const file = path.join(home, 'log', 'agentm.db')
  const store = await openSqliteStore({ path: file, concepts: harnessConcepts, durability: 'normal', runtime })
  /** @param {readonly Event[]} events @param {string} partition */
  const write = async (events, partition) => {
    for (const batch of batches(events)) {
      clock = batch[0]?.at ?? clock
      await store.log.append(
        batch.map(({ draft }) => draft),
        { owner, actor: 'worker', partition },
      )
    }
  }
  const made = { home, file, bigPlan: hex(seed, 1_000_001), smallPlan: hex(seed, 1_000_002) }
  const hour = 3_600_000
  for (let i = plans - 1; i >= 0; i--) {
    const start = now - (i + 0.5) * 2.3 * hour - random() * hour
    const ending = i === 0 ? 'running' : i === 1 ? 'asks' : i === 2 ? 'paused' : endingFor(random())
    const id = i === 0 ? made.smallPlan : hex(seed, 2_000_000 + i)
    const goal = i === 0 ? 'Ship the harbour dashboard' : (goals[Math.floor(random() * goals.length)] ?? '')
    const begun = i <= 2 ? now - 9 * 60_000 : start
    const events = planEvents({ id, goal, owner, start: begun, steps: someSteps(random), ending, random, now })
    await write(events, projects[i % projects.length] ?? '_global')
  }
  if (bigSteps > 0) {
    const steps = manySteps(bigSteps, random)
    const goal = 'Re-index every document of the archive'
    const ofBig = { id: made.bigPlan, goal, owner, start: now - 5 * hour, steps, ending: /** @type {const} */ ('done') }
    await write(planEvents({ ...ofBig, random, now, workers: 24 }), 'tidewater')
  }
  await store.close()
  return made
}

/** @param {() => number} random @returns {readonly StepSpec[]} */
function someSteps(random) {
  /** @type {readonly (readonly [string, string, string, string, number])[]} */
  const all = [
    ['read', 'Read the tickets and the change log', 'agent', '', 70],
    ['schema', 'Design the schema of the new tables', 'agent', 'read', 110],
    ['api', 'Write the endpoints for ships and berths', 'agent', 'schema', 160],
    ['ui', 'Draw the berth map with live positions', 'agent', 'schema', 130],
    ['tests', 'Run the whole test suite', 'command', 'api ui', 90],
    ['load', 'Measure the page with 5,000 ships', 'http', 'api', 60],
    ['docs', 'Write the page for harbour masters', 'agent', 'ui', 80],
    ['approve', 'Ask before publishing', 'approval', 'tests load docs', 50],
    ['publish', 'Publish, and tell the team', 'command', 'approve', 30],
  ]
  return all.map(([key, title, kind, after, seconds]) => ({
    key,
    title,
    kind,
    dependsOn: after === '' ? [] : after.split(' '),
    ms: seconds * 1_000 * (0.4 + random()),
  }))
}

/** One step that lists, many that work in rows of ten, and one that joins them. @param {number} count @param {() => number} random */
function manySteps(count, random) {
  /** @type {StepSpec[]} */
  const steps = [{ key: 'list', title: 'List the documents', kind: 'command', dependsOn: [], ms: 40_000 }]
  for (let i = 0; i < count - 2; i++)
    steps.push({
      key: `d${i}`,
      title: `Index shelf ${Math.floor(i / 10) + 1}, part ${(i % 10) + 1}`,
      kind: i % 10 === 9 ? 'http' : 'command',
      dependsOn: [i % 10 === 0 ? 'list' : `d${i - 1}`],
      ms: 4_000 + random() * 40_000,
    })
  const ends = steps.filter((_, i) => i % 10 === 0 && i > 0).map(({ key }) => key)
  steps.push({ key: 'join', title: 'Merge the indexes', kind: 'command', dependsOn: ends, ms: 90_000 })
  return steps
}

/**
 * Simulates workers with a few places, and gives each change at its time.
 * @param {{ readonly id: string, readonly goal: string, readonly owner: string, readonly start: number, readonly steps: readonly StepSpec[],
 *   readonly ending: Ending, readonly random: () => number, readonly now: number, readonly workers?: number }} spec
 * @returns {readonly Event[]}
 */
function planEvents({ id, goal, owner, start, steps, ending, random, now, workers = 3 }) {
  /** @type {Event[]} */
  const events = []
  const planId = `${planName}:${id}`
  const stepId = (/** @type {string} */ key) =>
    `${stepName}:${hash(`${id}/${key}`)}${hash(`${key}/${id}`)}${id.slice(0, 8)}`
  const plan = (/** @type {number} */ at, /** @type {object} */ payload, mutation = 'updateHarnessPlan') =>
    events.push({ at, draft: { concept: planName, id: planId, payload: { ...payload }, mutation } })
  const budget = { maxTokens: 400_000, maxCostMicros: 2_500_000, maxToolCalls: 200 }
  plan(start, { ownerUserId: owner, goal, status: 'open', budget }, 'createHarnessPlan')
  for (const { key, title, kind, dependsOn } of steps) {
    const payload = {
      ownerUserId: owner,
      planId,
      title,
      kind,
      status: 'pending',
      attempt: 0,
      dependsOn: dependsOn.map(stepId),
      idempotencyKey: `${id}/${key}`,
      input: kind === 'command' ? { command: ['make', key] } : { task: title, context: `for ${goal}` },
    }
    events.push({ at: start, draft: { concept: stepName, id: stepId(key), payload, mutation: 'createHarnessStep' } })
  }
  const change = (
    /** @type {number} */ at,
    /** @type {string} */ key,
    /** @type {object} */ payload,
    /** @type {string} */ mutation,
    unset = /** @type {string[]} */ ([]),
  ) => events.push({ at, draft: { concept: stepName, id: stepId(key), payload: { ...payload }, unset, mutation } })
  /** @type {Map<string, number>} */
  const ended = new Map()
  const free = Array.from({ length: workers }, (_, i) => ({ at: start + 800, session: hex(i + 3, 77) }))
  let over = start
  let isStuck = false
  for (const { key, title, kind, dependsOn, ms } of steps) {
    if (dependsOn.some((each) => !ended.has(each))) continue
    const readyAt = Math.max(start, ...dependsOn.map((each) => ended.get(each) ?? start)) + 40
    free.sort((a, b) => a.at - b.at)
    const place = free[0]
    if (place === undefined || (ending === 'paused' && readyAt > start + 150_000)) continue
    if (readyAt > now) continue
    change(readyAt, key, { status: 'ready' }, 'readyHarnessStep')
    let at = Math.max(readyAt + 30, place.at)
    if (at > now) continue
    const run = (/** @type {number} */ from, /** @type {number} */ attempt) =>
      change(
        from,
        key,
        { status: 'running', session: place.session, startedAt: new Date(from).toISOString(), ...(attempt > 0 && {}) },
        'startHarnessStep',
      )
    run(at, 0)
    if (steps.length < 100) for (let i = 0; i < 2 + random() * 3; i++) observe(at + (ms * (i + 1)) / 6, key, kind)
    if (kind === 'approval' && ending === 'asks') {
      const question = { id: 'q1', text: 'Publish the dashboard to all 40 harbours now?', allowed: ['approve', 'deny'] }
      const askedAt = Math.min(at + 400, now - 60_000)
      change(askedAt, key, { status: 'blocked', waitsFor: { for: 'answer', question } }, 'askHarnessStep', ['session'])
      isStuck = true
      continue
    }
    const luck = random()
    if (luck < 0.07) {
      const failedAt = at + ms * 0.6
      const errorMessage = `make: *** [${key}] Error 2 (exit code 2)`
      const failure = { cause: 'step', message: errorMessage, retryable: true }
      if (failedAt + 9_000 < now) {
        const retryAt = failedAt + 8_000
        change(failedAt, key, { status: 'failed', errorMessage, failure, failures: 1, retryAt }, 'failHarnessStep', [
          'session',
        ])
        change(retryAt, key, { status: 'ready', attempt: 1 }, 'retryHarnessStep', [
          'retryAt',
          'failure',
          'errorMessage',
        ])
        at = retryAt + 200
        run(at, 1)
      }
    } else if (luck < 0.1 && at + ms * 0.4 + 5_000 < now) {
      change(
        at + ms * 0.4,
        key,
        {
          status: 'failed',
          failure: { cause: 'lease', message: 'its worker is gone' },
          crashes: 1,
          errorMessage: 'its worker is gone',
          retryAt: at + ms * 0.4 + 2_000,
        },
        'failHarnessStep',
        ['session'],
      )
      at += ms * 0.4 + 2_000
      change(at, key, { status: 'ready', attempt: 1 }, 'retryHarnessStep', ['retryAt', 'failure', 'errorMessage'])
      at += 300
      run(at, 1)
    }
    const end = at + ms
    place.at = end + 60
    if (end > now) {
      place.at = Infinity
      continue
    }
    if (ending === 'failed' && key === 'tests') {
      const errorMessage = '3 of 412 tests failed: berths overlap at low tide'
      change(
        end,
        key,
        {
          status: 'failed',
          errorMessage,
          failure: { cause: 'step', message: errorMessage, retryable: false },
          failures: 3,
          completedAt: iso(end),
        },
        'failHarnessStep',
        ['session'],
      )
      isStuck = true
      over = Math.max(over, end)
      continue
    }
    const result =
      kind === 'command'
        ? { exitCode: 0, stdout: `${title}: ok\n` }
        : { text: `${title}: done, with ${Math.round(random() * 40)} changes.` }
    change(end, key, { status: 'done', result, completedAt: iso(end) }, 'completeHarnessStep', ['session'])
    ended.set(key, end)
    over = Math.max(over, end)
  }
  plan(start + 900, { status: 'running', startedAt: iso(start + 900) })
  if (ending === 'paused')
    plan(
      Math.min(now - 1_000, start + 150_000),
      { paused: true, actor: owner, reason: 'the staging harbour is closed tonight' },
      'pauseHarnessPlan',
    )
  const isAll = ended.size === steps.length
  if (ending === 'failed' && isStuck)
    plan(over + 100, {
      status: 'failed',
      errorMessage: 'the step "Run the whole test suite" failed',
      completedAt: iso(over + 100),
    })
  else if (ending === 'cancelled') plan(over + 100, { status: 'cancelled', completedAt: iso(over + 100) })
  else if (isAll) plan(over + 100, { status: 'done', result: { steps: steps.length }, completedAt: iso(over + 100) })
  return events.filter(({ at }) => at <= now).toSorted((a, b) => a.at - b.at)

  /** @param {number} at @param {string} key @param {string} kind */
  function observe(at, key, kind) {
    const toolName = tools[Math.floor(random() * tools.length)] ?? ''
    const data = {
      toolName,
      args: JSON.stringify({ path: `src/${key}.ts` }),
      result: 'ok',
      tokens: kind === 'agent' ? Math.round(random() * 9_000) : 0,
      costMicros: kind === 'agent' ? Math.round(random() * 40_000) : 0,
      toolCalls: 1,
    }
    const payload = {
      ownerUserId: owner,
      planId,
      stepId: stepId(key),
      kind: 'tool_result',
      content: `${toolName}: ok`,
      data,
    }
    events.push({ at, draft: { concept: observationName, payload, mutation: 'createHarnessObservation' } })
  }
}

/** What happens within a moment is one append; a step never changes twice in one. @param {readonly Event[]} events @returns {Generator<Event[]>} */
function* batches(events) {
  /** @type {Event[]} */
  let batch = []
  const seen = new Set()
  for (const event of events) {
    const [first] = batch
    const { id } = event.draft
    if (first !== undefined && (event.at - first.at > 400 || (id !== undefined && seen.has(id)))) {
      yield batch
      batch = []
      seen.clear()
    }
    batch.push(event)
    if (id !== undefined) seen.add(id)
  }
  if (batch.length > 0) yield batch
}

/** @param {number} luck @returns {Ending} */
function endingFor(luck) {
  if (luck < 0.13) return 'failed'
  return luck < 0.17 ? 'cancelled' : 'done'
}

/** @param {number} at */
function iso(at) {
  return new Date(at).toISOString()
}

/** @param {number} a @param {number} b */
function hex(a, b) {
  return hash(`${a}/${b}`).padEnd(12, '0') + hash(`${b}/${a}`).padEnd(12, '1') + hash(`${a}-${b}`).slice(0, 8)
}

/** FNV-1a over both halves: 12 hexadecimal digits. @param {string} text */
function hash(text) {
  let [a, b] = [2_166_136_261, 3_735_928_559]
  for (let i = 0; i < text.length; i++) {
    a = Math.imul(a ^ text.charCodeAt(i), 16_777_619) >>> 0
    b = Math.imul(b ^ (text.charCodeAt(i) + i), 2_246_822_519) >>> 0
  }
  return a.toString(16).padStart(8, '0') + b.toString(16).padStart(8, '0').slice(0, 4)
}
