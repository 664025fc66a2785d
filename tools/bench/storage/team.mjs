// @ts-check
/** Several processes that start together: each says when it is ready, and none goes before all are. */
import { fork } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import path from 'node:path'

/** @typedef {{ readonly elapsedMs: number, readonly answers: readonly unknown[] }} Finish */

/**
 * @param {string} worker a file in this folder
 * @param {readonly string[][]} members the arguments of each
 * @param {string} scratch where their HOME is
 * @returns {Promise<Finish>} from "go" to the last answer
 */
export async function race(worker, members, scratch) {
  const children = members.map((args) => start(worker, args, scratch))
  await Promise.all(children.map((child) => nextMessage(child)))
  const began = performance.now()
  const answers = Promise.all(children.map((child) => nextMessage(child)))
  for (const child of children) child.send('go')
  const finish = { answers: await answers, elapsedMs: performance.now() - began }
  for (const child of children) if (child.connected) child.disconnect()
  return finish
}

/**
 * A process that reads and writes nothing outside the scratch directory; the locks of all of one scratch are one place.
 * @param {string} worker @param {readonly string[]} args @param {string} scratch
 */
export function start(worker, args, scratch) {
  const home = path.join(scratch, 'home')
  mkdirSync(home, { recursive: true })
  return fork(path.join(import.meta.dirname, worker), args, { env: worldIn(scratch) })
}

/** @param {string} scratch @returns {NodeJS.ProcessEnv} */
export function worldIn(scratch) {
  const home = path.join(scratch, 'home')
  return { ...process.env, HOME: home, XDG_CACHE_HOME: path.join(home, '.cache') }
}

/** @param {import('node:child_process').ChildProcess} child @returns {Promise<unknown>} */
export function nextMessage(child) {
  return new Promise((heard, failed) => {
    const died = (/** @type {number | null} */ code) =>
      failed(new Error(`a worker ended with ${code} before it answered`))
    child.once('exit', died)
    child.once('message', (message) => {
      child.off('exit', died)
      heard(message)
    })
  })
}
