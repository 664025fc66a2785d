// @ts-check
/** Runs a program and gives what it printed; a failure carries both streams in its message, a hang is a failure. */
import { execFile } from 'node:child_process'
import { guard } from '../guard.mjs'

const timeoutMs = 180_000

/**
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ readonly cwd: string, readonly env?: NodeJS.ProcessEnv }} options
 * @returns {Promise<{ readonly stdout: string, readonly stderr: string }>}
 */
export function exec(command, args, { cwd, env = process.env }) {
  return new Promise((done, failed) => {
    const child = execFile(
      command,
      args,
      { cwd, env, timeout: timeoutMs, maxBuffer: 1 << 28, encoding: 'utf8' },
      (error, stdout, stderr) => {
        if (error === null) done({ stdout, stderr })
        else failed(new Error(`${[command, ...args].join(' ')}: ${why(error)}\n${stdout}\n${stderr}`.trim()))
      },
    )
    guard(child)
    child.stdin?.end()
  })
}

/** @param {import('node:child_process').ExecFileException} error */
function why({ code, signal, killed }) {
  if (killed) return `no end after ${timeoutMs / 1000} s`
  return signal ? `ended by ${signal}` : `exit code ${code}`
}
