// @ts-check
/** Our own loop, whose model errs within the worker process. */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const script = fileURLToPath(new URL('worker.mjs', import.meta.url))

/**
 * @typedef {object} Agent
 * @property {string} kind of the step
 * @property {Readonly<Record<string, unknown>>} [input] of the step
 * @property {() => import('node:child_process').ChildProcess} start starts a worker process
 * @property {(group: number) => boolean} kill kills the program that works on the step, not its worker; `false` if there is none
 * @property {() => Promise<Measured>} close
 */

/**
 * What only a real coding agent shows.
 * @typedef {object} Measured
 * @property {number} [replies] of the model that the agent got or was about to get
 * @property {number} [limits] how often the model server answered with its usage limit
 * @property {number} [left] processes that were still there at the end
 * @property {boolean} [escaped] whether something was done that the policy refuses
 */

/** @param {{ readonly database: string, readonly treesAt: string, readonly task: import('./repositories.mjs').Task }} around @returns {Agent} */
export function loopAgent({ database, treesAt, task }) {
  return {
    kind: 'agent',
    start: () =>
      spawn(process.execPath, [script, database, treesAt, task.name], { stdio: ['pipe', 'ignore', 'inherit'] }),
    kill: () => false,
    close: async () => ({}),
  }
}
