// @ts-check
/** Runs one task in a repository of its own, with worker processes that are killed at random points, and looks at what came of it. */
import { harnessConcepts, openHarness } from '@agentm/harness'
import { openSqliteStore } from '@agentm/nodes-sqlite'
import { spawn } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { habitOf } from './erring-model.mjs'
import { owner, planOf } from './plan.mjs'

/** @typedef {import('./repositories.mjs').Task} Task */

/**
 * @typedef {object} Outcome
 * @property {string} task
 * @property {string} habit
 * @property {string} status of the plan
 * @property {boolean} isFixed all tests pass, as they were written
 * @property {string | undefined} code why the step failed
 * @property {number} rounds of the check
 * @property {number} kills
 * @property {readonly string[]} leftovers files that are neither of the repository nor asked for
 */

/**
 * @param {Task} task
 * @param {{ readonly hasGate: boolean, readonly kills: number, readonly random: () => number }} how
 * @returns {Promise<Outcome>}
 */
export async function runTask(task, { hasGate, kills, random }) {
  const home = await mkdtemp(path.join(tmpdir(), 'agentm-coding-'))
  const root = path.join(home, 'repository')
  const database = path.join(home, 'log.db')
  await writeFiles(root, task.files)
  const store = await openSqliteStore({ path: database, concepts: harnessConcepts })
  const harness = openHarness({ store, owner, actor: 'eval' })
  const habit = habitOf(task)
  try {
    const { planId, steps } = await harness.createPlan(
      planOf(task, { hasGate, hangs: habit === 'makes the tests hang' }),
    )
    const stepId = steps['fix'] ?? ''
    const over = new AbortController()
    const killed = await torment({ database, root, task, kills, random, harness, planId, over })
    const { payload } = await harness.ended(planId)
    over.abort()
    await killed.end()
    const { failure } = (await harness.step(stepId)).payload
    return {
      task: task.name,
      habit,
      status: payload.status,
      isFixed: await passes(task, root),
      code: failure?.code,
      rounds: await roundsOf(store, stepId),
      kills: killed.count(),
      leftovers: (await namesBelow(root)).filter((name) => !Object.hasOwn(task.files, name)),
    }
  } finally {
    await store.close()
    await rm(home, { recursive: true, force: true })
  }
}

/**
 * Starts a worker process, kills it after a random time, and starts the next. The last one is left alone.
 * @param {{ readonly database: string, readonly root: string, readonly task: Task, readonly kills: number, readonly random: () => number, readonly harness: import('@agentm/harness').Harness, readonly planId: string, readonly over: AbortController }} around
 */
async function torment({ database, root, task, kills, random, harness, planId, over }) {
  const script = fileURLToPath(new URL('worker.mjs', import.meta.url))
  let count = 0
  let worker = start()
  function start() {
    return spawn(process.execPath, [script, database, root, task.name], { stdio: ['pipe', 'ignore', 'inherit'] })
  }
  const killing = (async () => {
    while (count < kills && !over.signal.aborted) {
      // From the moment the step is claimed, so that a kill finds it at work and not at its start.
      if (!(await isClaimed(harness, planId, over.signal))) return
      await sleep(random() * 900)
      if (over.signal.aborted) return
      worker.kill('SIGKILL')
      await new Promise((resolve) => worker.once('exit', resolve))
      count += 1
      worker = start()
    }
  })()
  const answering = answerDoubts(harness, planId, over.signal)
  return {
    count: () => count,
    async end() {
      await Promise.all([killing, answering])
      worker.kill('SIGKILL')
      if (worker.exitCode === null && worker.signalCode === null)
        await new Promise((resolve) => worker.once('exit', resolve))
    },
  }
}

/**
 * `false` if the plan has ended.
 * @param {import('@agentm/harness').Harness} harness @param {string} planId @param {AbortSignal} over
 */
async function isClaimed(harness, planId, over) {
  while (!over.aborted) {
    const [step] = await harness.steps(planId)
    if (step?.payload.status === 'running') return true
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
}

/** @param {import('@agentm/nodes').NodeStore} store @param {string} stepId */
async function roundsOf(store, stepId) {
  const query = { owner, concepts: ['v1:harness:observation'], parent: stepId, limit: 500 }
  const { nodes } = await store.log.scan(query)
  return nodes.filter(({ payload: { content } }) => /^check (passed|did not pass)/u.test(String(content))).length
}
