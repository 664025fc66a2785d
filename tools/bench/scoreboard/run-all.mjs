// @ts-check
/** Every benchmark, one process after the other. One that takes too long is ended and keeps what it has until then. */
import { spawn } from 'node:child_process'
import path from 'node:path'
import { root } from '../../run.mjs'
import { inOrder } from './order.mjs'

const mostMs = 10 * 60_000
const graceMs = 20_000
const main = path.join(import.meta.dirname, '..', 'main.mjs')

/** @param {readonly string[]} names @param {(name: string) => readonly string[]} optionsOf @returns {Promise<number>} the exit code */
export async function runAll(names, optionsOf) {
  const started = performance.now()
  // What the MCP server takes is measured with recall.
  const ordered = inOrder(Object.fromEntries(names.map((name) => [name, name]))).flatMap(([name]) =>
    name === 'mcp' ? [] : [name],
  )
  /** @type {string[]} */
  const failed = []
  for (const name of ordered) {
    const from = performance.now()
    const code = await runOne([main, name, '--scoreboard', ...optionsOf(name)])
    console.error(`${name}: ${seconds(from)} s${code === 0 ? '' : `, exit code ${code}`}`)
    if (code !== 0) failed.push(name)
  }
  console.error(`docs/scoreboard.md is written; ${seconds(started)} s in all`)
  if (failed.length > 0) console.error(`not everything could be measured, or met its goal: ${failed.join(', ')}`)
  return failed.length > 0 ? 1 : 0
}

/** @param {readonly string[]} args @returns {Promise<number>} */
function runOne(args) {
  return new Promise((done, failed) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit' })
    const timers = [setTimeout(() => child.kill(), mostMs), setTimeout(() => child.kill('SIGKILL'), mostMs + graceMs)]
    child.on('error', failed)
    child.on('exit', (code) => {
      for (const timer of timers) clearTimeout(timer)
      done(code ?? 1)
    })
  })
}

/** @param {number} from */
function seconds(from) {
  return Math.round((performance.now() - from) / 1000)
}
