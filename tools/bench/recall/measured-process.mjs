// @ts-check
/** Starts a process, waits for its end, and tells what it cost. */
import { spawn } from 'node:child_process'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { guard } from '../../guard.mjs'
import { NotMeasurable } from '../frame.mjs'

/** @typedef {{ readonly wallMs: number, readonly cpuMs: number, readonly peakMb: number, readonly said: string }} Cost */
/** @typedef {{ readonly cwd: string, readonly env: NodeJS.ProcessEnv }} Where */

const reporter = pathToFileURL(path.join(import.meta.dirname, 'report-usage.mjs')).href
const patienceMs = 10 * 60_000

/**
 * @param {readonly string[]} args of Node @param {Where} where @param {{ readonly input?: unknown, readonly mostMs?: number }} [how]
 * @returns {Promise<Cost>}
 */
export function cost(args, { cwd, env }, { input, mostMs = patienceMs } = {}) {
  return new Promise((done, failed) => {
    const from = performance.now()
    const stdio = /** @type {const} */ (['pipe', 'pipe', 'inherit', 'pipe'])
    const child = spawn(process.execPath, ['--import', reporter, ...args], { cwd, env, stdio: [...stdio] })
    guard(child)
    const late = setTimeout(() => child.kill('SIGKILL'), mostMs)
    const said = gathered(child.stdio[1])
    const usage = gathered(child.stdio[3])
    child.on('error', failed)
    child.on('close', (code, signal) => {
      clearTimeout(late)
      const wallMs = performance.now() - from
      if (signal === 'SIGKILL') failed(new NotMeasurable(`${args.slice(1).join(' ')} took longer than ${mostMs} ms`))
      else if (code !== 0) failed(new Error(`${args.join(' ')} ended with ${code}`))
      else done({ wallMs, said: said(), ...JSON.parse(usage()) })
    })
    child.stdin?.on('error', () => {})
    child.stdin?.end(input === undefined ? '' : JSON.stringify(input))
  })
}

/** @param {import('node:stream').Stream | null | undefined} stream */
function gathered(stream) {
  const parts = /** @type {Buffer[]} */ ([])
  stream?.on('data', (part) => parts.push(part))
  return () => Buffer.concat(parts).toString('utf8')
}
