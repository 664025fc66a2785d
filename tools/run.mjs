// @ts-check
/** Runs a program in the foreground, its output going where ours goes. */
import { spawn } from 'node:child_process'
import path from 'node:path'
import { guard } from './guard.mjs'

export const root = path.resolve(import.meta.dirname, '..')

/**
 * The exit code; 1 when a signal ended it.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {Readonly<Record<string, string>>} [env] what to add to the environment
 * @param {number} [output] the open file that takes what it prints
 * @returns {Promise<number>}
 */
export function run(command, args, env = {}, output) {
  return new Promise((done, failed) => {
    const child = spawn(command, args, {
      cwd: root,
      stdio: ['inherit', output ?? 'inherit', output ?? 'inherit'],
      env: { ...process.env, ...env },
    })
    guard(child)
    child.on('error', failed)
    child.on('exit', (code) => done(code ?? 1))
  })
}
