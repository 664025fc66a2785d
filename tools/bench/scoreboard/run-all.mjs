// @ts-check
/** Every benchmark, one process after the other. One that takes too long is ended and keeps what it has until then. */
import { spawn } from 'node:child_process'
import path from 'node:path'
import { guard } from '../../guard.mjs'
import { root } from '../../run.mjs'
import { inOrder } from './order.mjs'

const minute = 60_000
// A page that takes longer than half an hour is not written often.
const limits = { each: 10 * minute, all: 29 * minute, least: minute / 2 }
const graceMs = 20_000
const main = path.join(import.meta.dirname, '..', 'main.mjs')

/**
 * @param {readonly string[]} names
 * @param {{ optionsOf: (name: string) => readonly string[], isLimited: boolean, signal: AbortSignal }} how with `signal` the one at work
 *   is ended, and no other begun
 * @returns {Promise<number>} the exit code
 */
export async function runAll(names, { optionsOf, isLimited, signal }) {
  const started = performance.now()
  // What the MCP server takes is measured with recall.
  const ordered = inOrder(Object.fromEntries(names.map((name) => [name, name]))).flatMap(([name]) =>
    name === 'mcp' ? [] : [name],
  )
  /** @type {string[]} */
  const failed = []
  for (const name of ordered) {
    if (signal.aborted) return 1
    const from = performance.now()
    const mostMs = isLimited ? Math.min(limits.each, limits.all - (from - started)) : 60 * minute
    const isLate = mostMs < limits.least
    const code = isLate ? 1 : await runOne([main, name, '--scoreboard', ...optionsOf(name)], { mostMs, signal })
    console.error(
      `${name}: ${isLate ? 'no time was left; its older figures stay' : `${seconds(from)} s, exit code ${code}`}`,
    )
    if (code !== 0) failed.push(name)
  }
  console.error(`docs/scoreboard.md is written; ${seconds(started)} s in all`)
  if (failed.length > 0) console.error(`not everything could be measured, or met its goal: ${failed.join(', ')}`)
  return failed.length > 0 ? 1 : 0
}

/** @param {readonly string[]} args @param {{ mostMs: number, signal: AbortSignal }} until @returns {Promise<number>} */
function runOne(args, { mostMs, signal }) {
  return new Promise((done, failed) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit' })
    guard(child)
    const end = () => child.kill()
    signal.addEventListener('abort', end)
    const timers = [setTimeout(end, mostMs), setTimeout(() => child.kill('SIGKILL'), mostMs + graceMs)]
    child.on('error', failed)
    child.on('exit', (code) => {
      signal.removeEventListener('abort', end)
      for (const timer of timers) clearTimeout(timer)
      done(code ?? 1)
    })
  })
}

/** @param {number} from */
function seconds(from) {
  return Math.round((performance.now() - from) / 1000)
}
