// @ts-check
/** Runs one task in a repository of its own, with worker processes that are killed at random points, and looks at what came of it. */
import { harnessConcepts, openHarness } from '@agentm/harness'
import { openSqliteStore } from '@agentm/nodes-sqlite'
import { spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { clientAgent } from './client-agent.mjs'
import { habitOf } from './erring-model.mjs'
import { loopAgent } from './loop-agent.mjs'
import { owner, planOf } from './plan.mjs'
import { workApart } from './work-apart.mjs'

/** @typedef {import('./repositories.mjs').Task} Task */
/** @typedef {import('./loop-agent.mjs').Agent} Agent */

/**
 * @typedef {object} RunOptions
 * @property {boolean} hasGate
 * @property {number} kills
 * @property {() => number} random
 * @property {import('./client-agent.mjs').ClientAgentName} [client] a coding agent from npm (default: our own loop)
 * @property {string} [installed] where coding agents are installed
 * @property {number} [limitAfter] the coding agent meets a usage limit after that many replies
 */

/**
 * @typedef {object} Outcome
 * @property {string} task
 * @property {string} habit
 * @property {string} status of the plan
 * @property {boolean} isFixed all tests pass, as they were written
 * @property {string | undefined} code why the step failed
 * @property {number} rounds of the check
 * @property {number} kills
 * @property {number} clientKills how many of the kills hit the coding agent, and not the worker
 * @property {readonly string[]} leftovers files that are neither of the repository nor asked for, trees, branches, and changes before the result was applied
 * @property {import('./loop-agent.mjs').Measured & { readonly tokens: number, readonly costMicros: number, readonly waits: number }} measured
 */

/**
 * @param {Task} task
 * @param {RunOptions} options
 * @returns {Promise<Outcome>}
 */
export async function runTask(task, { hasGate, kills, random, client, installed = '', limitAfter }) {
  // Codex may write anything below /tmp, so what it may not write is elsewhere.
  const home = await mkdtemp(path.join(client === undefined ? tmpdir() : '/var/tmp', 'agentm-coding-'))
  const root = path.join(home, 'repository')
  const database = path.join(home, 'log.db')
  const treesAt = path.join(home, 'trees')
  await writeFiles(root, task.files)
  await mkdir(path.join(home, 'outside'))
  const store = await openSqliteStore({ path: database, concepts: harnessConcepts })
  const harness = openHarness({ store, owner, actor: 'eval' })
  const habit = habitOf(task)
  try {
    const apart = await workApart({ root, treesAt, store })
    const agent =
      client === undefined
        ? loopAgent({ database, treesAt, task })
        : await clientAgent(client, { scratch: home, database, root, treesAt, task, installed, limitAfter })
    const trees = await apart.field()
    const { planId, steps } = await harness.createPlan(
      planOf(task, { hasGate, hangs: habit === 'makes the tests hang', agent, trees }),
    )
    const stepId = steps['fix'] ?? ''
    const over = new AbortController()
    const killed = torment({ agent, store, stepId, kills, random, harness, planId, over })
    const { payload } = await Promise.race([harness.ended(planId), killed.broken])
    over.abort()
    await killed.end()
    const { failure } = (await harness.step(stepId)).payload
    const { tokens, costMicros } = await harness.usage(planId)
    const isDone = payload.status === 'done'
    const closed = await agent.close()
    const measured = { ...closed, escaped: closed.escaped === true || (await apart.hasCommitted()) }
    // The work of a plan that failed is looked at before it is discarded.
    const triedFix = isDone ? undefined : await passes(task, await apart.treeOf({ planId, stepId }))
    const leftOver = await apart.end({ planId, isDone })
    return {
      task: task.name,
      habit,
      status: payload.status,
      isFixed: triedFix ?? (await passes(task, root)),
      code: failure?.code,
      rounds: await roundsOf(store, stepId),
      ...killed.counts(),
      leftovers: [...leftOver, ...(await namesBelow(root)).filter((name) => !Object.hasOwn(task.files, name))],
      measured: { ...measured, tokens, costMicros, waits: await waitsOf(store, stepId) },
    }
  } finally {
    await store.close()
    await rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  }
}

/**
 * Starts a worker process, kills it or the coding agent after a random time, and starts the next. The last one is left alone.
 * @param {{ readonly agent: Agent, readonly store: import('@agentm/nodes').NodeStore, readonly stepId: string, readonly kills: number, readonly random: () => number, readonly harness: import('@agentm/harness').Harness, readonly planId: string, readonly over: AbortController }} around
 */
function torment({ agent, store, stepId, kills, random, harness, planId, over }) {
  const counts = { kills: 0, clientKills: 0 }
  const faults = new EventEmitter()
  const broken = once(faults, 'ended').then(([code]) => {
    throw new Error(`a worker ended with ${code}`)
  })
  const start = () => {
    const started = agent.start()
    // One that is not killed is not meant to end.
    started.once('exit', (code) => code !== null && faults.emit('ended', code))
    return started
  }
  let worker = start()
  const killing = (async () => {
    while (counts.kills < kills && !over.signal.aborted) {
      // From the moment the step is claimed, so that a kill finds it at work and not at its start.
      if (!(await isClaimed(harness, stepId, over.signal))) return
      await sleep(random() * (agent.kind === 'agent' ? 900 : 2500))
      const isClient = agent.kind !== 'agent' && random() < 0.5
      if (isClient && (await killedSoon(over.signal, async () => agent.kill(await groupOf(store, stepId)))))
        counts.clientKills += 1
      else {
        if (over.signal.aborted) return
        worker.kill('SIGKILL')
        await once(worker, 'exit')
        worker = start()
      }
      counts.kills += 1
    }
  })()
  const answering = answerDoubts(harness, planId, over.signal)
  return {
    counts: () => counts,
    broken,
    async end() {
      await Promise.all([killing, answering])
      worker.kill('SIGKILL')
      if (worker.exitCode === null && worker.signalCode === null)
        await new Promise((resolve) => worker.once('exit', resolve))
    },
  }
}

/** The coding agent can be killed once it has named its session. @param {AbortSignal} over @param {() => Promise<boolean>} kill */
async function killedSoon(over, kill) {
  for (let tries = 0; tries < 150 && !over.aborted; tries += 1) {
    if (await kill()) return true
    await sleep(20)
  }
  return false
}

/**
 * `false` if the step is done, or the plan has ended.
 * @param {import('@agentm/harness').Harness} harness @param {string} stepId @param {AbortSignal} over
 */
async function isClaimed(harness, stepId, over) {
  while (!over.aborted) {
    const { status } = (await harness.step(stepId)).payload
    if (status === 'running') return true
    if (status === 'done') return false
    await sleep(20)
  }
  return false
}

/**
 * A worker that died while a program ran leaves a question. The only program that the model runs may run twice.
 * @param {import('@agentm/harness').Harness} harness @param {string} planId @param {AbortSignal} over
 */
async function answerDoubts(harness, planId, over) {
  while (!over.aborted) {
    for (const { stepId, ask } of await harness.waiting(planId))
      if (ask !== undefined) await harness.answer(stepId, { questionId: ask.questionId, value: 'did_not_happen' })
    await sleep(100)
  }
}

/**
 * Whether all tests pass, with the tests and the script as they were written.
 * @param {Task} task @param {string} root
 */
export async function passes(task, root) {
  const copy = `${root}-judged`
  await cp(root, copy, { recursive: true })
  try {
    const tests = Object.entries(task.files).filter(([name]) => !name.startsWith('src/'))
    await writeFiles(copy, Object.fromEntries(tests))
    return await new Promise((resolve, reject) => {
      // In a group of its own, because each test file is a process of its own, and one of them may never end.
      const runner = spawn(process.execPath, ['--test'], { cwd: copy, stdio: 'ignore', detached: true })
      const timer = setTimeout(() => runner.pid !== undefined && process.kill(-runner.pid, 'SIGKILL'), 20_000)
      runner.on('error', reject)
      runner.on('exit', (code) => {
        clearTimeout(timer)
        resolve(code === 0)
      })
    })
  } finally {
    await rm(copy, { recursive: true, force: true })
  }
}

/** @param {string} root @param {Readonly<Record<string, string>>} files */
export async function writeFiles(root, files) {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(root, name)), { recursive: true })
    await writeFile(path.join(root, name), text)
  }
}

/** @param {string} root */
async function namesBelow(root) {
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'))
    .filter((name) => !name.startsWith('.git/') || name.endsWith('.lock'))
}

/** @param {import('@agentm/nodes').NodeStore} store @param {string} stepId */
async function roundsOf(store, stepId) {
  const contents = (await observationsOf(store, stepId)).map(({ content }) => String(content))
  return contents.filter((content) => /^check (passed|did not pass)/u.test(content)).length
}

/** The process group of the coding agent that ran last. @param {import('@agentm/nodes').NodeStore} store @param {string} stepId */
async function groupOf(store, stepId) {
  const groups = (await observationsOf(store, stepId)).map(({ data }) => Number(Object(data).group ?? 0))
  return groups.findLast((group) => group > 0) ?? 0
}

/** @param {import('@agentm/nodes').NodeStore} store @param {string} stepId */
async function observationsOf({ log }, stepId) {
  const query = /** @type {const} */ ({ owner, concepts: ['v1:harness:observation'], parent: stepId, order: 'oldest' })
  return (await log.scan({ ...query, limit: 500 })).nodes.map(({ payload }) => payload)
}

/** How often the step waited for the end of a usage limit. @param {import('@agentm/nodes').NodeStore} store @param {string} stepId */
async function waitsOf({ log }, stepId) {
  const versions = await log.history(stepId, { owner })
  return versions.filter(({ payload }) => Object(payload['waitsFor']).for === 'rate-limit').length
}
