// @ts-check
/**
 * The starts of schedules while two worker processes race for each of them: across both changes of the clock, and after an outage
 * of three days, for each catch-up policy. The clock of the workers is set by this process, so that a week takes seconds. Prints a
 * Markdown table.
 */
import { fork } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { systemRuntime } from '@agentm/agent-loop'
import { harnessConcepts, openHarness } from '@agentm/harness'
import { openSqliteStore } from '@agentm/nodes-sqlite'

/** @typedef {import('@agentm/nodes').NodeStore} NodeStore */
/** @typedef {import('@agentm/harness').NewSchedule} NewSchedule */
/** @typedef {{ readonly slot: string, readonly as: string, readonly by: string, readonly status: string }} Start */
/** @typedef {{ readonly name: string, readonly schedule: Omit<NewSchedule, 'plan'>, readonly from: string, readonly to: string, readonly outage?: readonly [string, string] }} Case */
/** @typedef {{ readonly name: string, readonly starts: readonly Start[], readonly skipped: readonly string[], readonly doubled: number, readonly byWorker: readonly number[] }} Row */
/** @typedef {{ readonly address: string, readonly open: (runtime: import('@agentm/agent-loop').Runtime) => Promise<NodeStore> }} Place */

const workerFile = fileURLToPath(new URL('schedule-worker.mjs', import.meta.url))
const plan = { goal: 'tick', steps: [{ key: 'tick', title: 'tick', kind: 'tick' }] }
const berlin = { cron: '30 2 * * *', zone: 'Europe/Berlin' }
const hour = 3_600_000

/** @type {readonly Case[]} */
export const cases = [
  { name: 'clock set forward, 02:30 daily', schedule: berlin, from: '2026-03-27T12:00Z', to: '2026-03-31T12:00Z' },
  { name: 'clock set back, 02:30 daily', schedule: berlin, from: '2026-10-23T12:00Z', to: '2026-10-27T12:00Z' },
  {
    name: 'clock set back, hourly',
    schedule: { cron: '0 * * * *', zone: 'Europe/Berlin' },
    from: '2026-10-24T22:30Z',
    to: '2026-10-25T03:30Z',
  },
  .../** @type {const} */ (['skip', 'last', 'all']).map((catchUp) => ({
    name: `outage of three days, catch-up ${catchUp}`,
    schedule: { ...berlin, catchUp },
    from: '2026-11-16T12:00Z',
    to: '2026-11-22T12:00Z',
    outage: /** @type {const} */ (['2026-11-17T12:00Z', '2026-11-20T12:00Z']),
  })),
]

/**
 * Plays one case with two processes.
 * @param {Case} played
 * @param {Place} place
 * @returns {Promise<Row>}
 */
export async function play({ name, schedule, from, to, outage }, place) {
  let now = Date.parse(from)
  const store = await place.open({ ...systemRuntime, now: () => now })
  const harness = openHarness({ store, owner: 'ada', actor: 'table' })
  const id = `table-${from.slice(0, 10)}-${name.replaceAll(/\W+/g, '-')}`
  /** @type {readonly import('node:child_process').ChildProcess[]} */
  let crew = []
  /** @param {number} at */
  const tell = async (at) => {
    now = at
    for (const child of crew) child.send(at)
    await settled(store, id, at)
  }
  try {
    await harness.schedule(id, { ...schedule, plan })
    crew = await startCrew(place.address, now)
    for (; now < Date.parse(to);) {
      if (outage !== undefined && now === Date.parse(outage[0])) {
        await stopCrew(crew)
        now = Date.parse(outage[1])
        crew = await startCrew(place.address, now)
        await settled(store, id, now)
      }
      await tell(now + hour / 2)
    }
    return await rowOf(store, { id, name })
  } finally {
    await stopCrew(crew)
    await harness.removeSchedule(id).catch(() => undefined)
    await store.close()
  }
}

/**
 * Both race for every start, because both are told the time at once.
 * @param {string} address
 * @param {number} now
 */
async function startCrew(address, now) {
  return Promise.all(
    ['A', 'B'].map(async (actor) => {
      const env = { ...process.env, TOLD_TIME: `${now}` }
      const child = fork(workerFile, [address, actor, 'told'], {
        env,
        execArgv: [],
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      })
      await new Promise((resolve, reject) => {
        child.once('message', resolve)
        child.once('exit', () => reject(new Error(`worker ${actor} ended`)))
      })
      return child
    }),
  )
}

/** @param {readonly import('node:child_process').ChildProcess[]} crew */
async function stopCrew(crew) {
  await Promise.all(
    crew.map(async (child) => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const gone = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGKILL')
      await gone
    }),
  )
}

/**
 * Until nothing is due at this time, and what was started has ended.
 * @param {NodeStore} store
 * @param {string} id
 * @param {number} at
 */
async function settled(store, id, at) {
  const harness = openHarness({ store, owner: 'ada', actor: 'table' })
  for (const until = Date.now() + 20_000; Date.now() < until; await sleep(5)) {
    const { next, running, schedule } = await harness.scheduleHistory(id, { events: 1 })
    if (running.length === 0 && schedule.status === 'active' && (next[0] ?? Infinity) > at) return
  }
  throw new Error(`nobody made the start that was due at ${new Date(at).toISOString()}`)
}

/**
 * @param {NodeStore} store
 * @param {{ readonly id: string, readonly name: string }} of
 * @returns {Promise<Row>}
 */
async function rowOf(store, { id, name }) {
  const harness = openHarness({ store, owner: 'ada', actor: 'table' })
  const { events, scheduleId } = await harness.scheduleHistory(id, { events: 10_000 })
  const { nodes } = await store.log.scan({ owner: 'ada', concepts: ['v1:harness:plan'], limit: 10_000 })
  const plans = nodes.filter(({ payload }) => payload['scheduleId'] === scheduleId)
  const firsts = new Map()
  for (const { id: planId } of plans)
    firsts.set(planId, (await store.log.history(planId, { owner: 'ada', limit: 1 }))[0]?.createdBy)
  const starts = events.toReversed().flatMap((event) => (event.what === 'started' ? [event] : []))
  const slots = plans.map(({ payload }) => payload['scheduledFor'])
  return {
    name,
    starts: starts.map(({ slot, as, planId, planStatus = '' }) => ({
      slot,
      as,
      by: firsts.get(planId),
      status: planStatus,
    })),
    skipped: events.toReversed().flatMap((each) => (each.what === 'skipped' ? [`${each.count} ${each.why}`] : [])),
    // A plan that no version of the schedule names would be a second start, too.
    doubled: slots.length - new Set(slots).size + Math.abs(plans.length - starts.length),
    byWorker: ['A', 'B'].map((worker) => starts.filter(({ planId }) => firsts.get(planId) === worker).length),
  }
}

/**
 * @param {string} zone
 * @param {string} at
 */
function clockIn(zone, at) {
  const options = /** @type {const} */ ({
    timeZone: zone,
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  })
  const of = Object.fromEntries(
    new Intl.DateTimeFormat('en-GB', options).formatToParts(new Date(at)).map(({ type, value }) => [type, value]),
  )
  return `${of['month']}-${of['day']} ${of['hour']}:${of['minute']}`
}

/** @param {readonly Row[]} rows */
export function table(rows) {
  const lines = rows.map(({ name, starts, skipped, doubled }) => {
    const made = starts.map(({ slot, as }) => `${clockIn('Europe/Berlin', slot)}${as === 'due' ? '' : ` (${as})`}`)
    return `| ${[name, made.join('<br>') || 'none', skipped.join('<br>') || 'none', doubled].join(' | ')} |`
  })
  return ['| case | starts, on the clocks of Berlin | skipped | made twice |', '|---|---|---|---|', ...lines].join('\n')
}

/**
 * @param {Case} played
 * @returns {Promise<Row>}
 */
export async function playOnFile(played) {
  const directory = await mkdtemp(path.join(tmpdir(), 'schedules-table-'))
  const address = path.join(directory, 'agentm.db')
  try {
    return await play(played, {
      address,
      open: (runtime) => openSqliteStore({ path: address, concepts: harnessConcepts, runtime }),
    })
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const rows = []
  for (const each of cases) rows.push(await playOnFile(each))
  console.log(table(rows))
  for (const { name, byWorker } of rows)
    console.log(`${name}: worker A made ${byWorker[0]} starts, worker B ${byWorker[1]}`)
}
