// @ts-check
/** Runs eight agents on one repository, at once or one after the other, and looks at what came of it. */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, realpath, rm } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { applyPlan } from '@agentm/harness/trees'
import { clientPlace } from '../../clients/client-place.mjs'
import { startScriptedAgent } from '../../clients/scripted-agent.mjs'
import { openCrew } from '../../trees-crew.mjs'
import { processesLeft } from '../coding/processes-of.mjs'
import { meetAt } from './meeting.mjs'
import { nextPartCall, partOf, promptOf } from './part.mjs'

/** @typedef {'loop' | 'clients'} CrewName our own loop, or four of Claude Code and four of Codex */
/** @typedef {Awaited<ReturnType<typeof openCrew>>} Crew */

const names = /** @type {const} */ (['claude-code', 'codex'])
const numbers = [1, 2, 3, 4, 5, 6, 7, 8]

/**
 * @typedef {object} CrewOutcome
 * @property {string} status of the plan, its check included
 * @property {string} [failure]
 * @property {number} ms from the start of the workers to the end of the plan
 * @property {number} lost edits that are not in the result
 * @property {boolean} isInOrder the commits of the result are in the order of the plan
 * @property {boolean} wasUntouched nothing of the folder changed before the result was applied
 * @property {number} treesLeft worktrees, branches and references that were left over
 * @property {number} processesLeft
 */

/**
 * @param {{ readonly crew: CrewName, readonly atOnce: number, readonly seconds: number, readonly kills?: number, readonly random?: () => number, readonly installed?: string }} how
 *   `kills`: how many workers are killed with kill -9 at random points, each with all the agents it runs; another one takes over
 * @returns {Promise<CrewOutcome>}
 */
export async function runCrew({ crew: name, atOnce, seconds, kills = 0, random = Math.random, installed = '' }) {
  const scratch = await realpath(await mkdtemp('/var/tmp/agentm-crew-'))
  const meeting = path.join(scratch, 'meeting')
  await mkdir(meeting)
  const meets = atOnce >= 8
  const slots = Math.max(1, Math.ceil(atOnce / 2))
  const treesAt = path.join(scratch, 'trees')
  const server = await startScriptedAgent(async ({ everything, results }) => {
    const n = partOf(everything.slice(everything.indexOf('Do part')))
    if (meets && results.length === 0) await meetAt(meeting, n)
    await sleep(seconds * 1000)
    const directory = new RegExp(`${treesAt}/[\\w-]+/[\\w-]+`, 'u').exec(everything)?.[0] ?? ''
    const call = nextPartCall[clientOf(n)](n, { results, directory })
    return call === undefined ? { text: `Part ${n} is done.` } : { text: 'I go on.', calls: [call] }
  })
  try {
    const agents =
      name === 'loop'
        ? { is: /** @type {const} */ ('loop'), seconds, ...(meets && { meeting }) }
        : { is: /** @type {const} */ ('clients'), clients: await clientsIn(scratch, { url: server.url, installed }) }
    const crew = await openCrew(scratch, { slots, atOnce, leaseMs: kills > 0 ? 5000 : 30_000, agents })
    try {
      const made = await crew.planOf((n) =>
        name === 'loop'
          ? { kind: 'agent', input: { goal: promptOf(n) } }
          : { kind: clientOf(n), input: { prompt: promptOf(n) } },
      )
      const began = performance.now()
      const workers = [await crew.start(), ...(atOnce > 1 ? [await crew.start()] : [])]
      for (let killed = 0; killed < kills; killed += 1) {
        await sleep(random() * 6000)
        workers.shift()?.kill('SIGKILL')
        workers.push(await crew.start())
      }
      const { payload } = await crew.harness.ended(made.planId)
      const ms = performance.now() - began
      const wasUntouched = crew.git('status', '--porcelain') === ''
      return {
        status: payload.status,
        ...(payload.errorMessage !== undefined && { failure: payload.errorMessage }),
        ms,
        wasUntouched,
        ...(await wholeness(crew, made)),
        processesLeft: (await processesLeft(`HOME=${path.join(scratch, 'home')}`)).length,
      }
    } finally {
      await crew.close()
    }
  } finally {
    await server.close()
    await rm(scratch, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  }
}

/** @param {number} n @returns {typeof names[number]} */
function clientOf(n) {
  return n % 2 === 1 ? 'claude-code' : 'codex'
}

/** @param {string} scratch @param {{ readonly url: string, readonly installed: string }} from @returns {Promise<readonly import('./kinds.mjs').CrewClient[]>} */
async function clientsIn(scratch, { url, installed }) {
  /** @type {import('./kinds.mjs').CrewClient[]} */
  const all = []
  for (const name of names) {
    // One home for all of them, as a person has.
    const { home: _, ...place } = await clientPlace(name, {
      root: scratch,
      repo: path.join(scratch, 'work'),
      url,
      installed,
    })
    const shell = name === 'codex' ? /** @type {const} */ ('any') : []
    const stateDirectory = path.join(scratch, 'state')
    all.push({ name, ...place, policy: { files: 'write', shell, hosts: [] }, stateDirectory })
  }
  return all
}

/** @param {Crew} crew @param {Awaited<ReturnType<Crew['planOf']>>} made */
async function wholeness({ git, folder, root }, { place }) {
  if (place === undefined) throw new Error('the plan has no trees')
  await applyPlan(place, { branch: 'result' })
  const show = async (/** @type {string} */ file) =>
    promisify(execFile)('git', ['show', `result:${file}`], { cwd: folder }).then(
      ({ stdout }) => stdout,
      () => '',
    )
  const list = await show('list.txt')
  const own = await Promise.all(numbers.map((n) => show(`part${n}.txt`)))
  const lost =
    numbers.filter((n) => !list.includes(`part ${n} done\n`)).length +
    numbers.filter((n, i) => own[i] !== `part ${n}\n`).length
  const order = git('log', '--reverse', '--format=%s', 'main..result').trim()
  const left = [git('for-each-ref', 'refs/agentm', 'refs/agentm-lock', 'refs/heads/agentm'), git('worktree', 'list')]
  return {
    lost,
    isInOrder: order === numbers.map((n) => `part ${n}`).join('\n'),
    treesLeft:
      left
        .join('\n')
        .split('\n')
        .filter((line) => line !== '').length -
      1 +
      (await readdir(root)).filter((name) => name !== 'device').length,
  }
}
