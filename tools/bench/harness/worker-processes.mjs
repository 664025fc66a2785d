// @ts-check
/** Worker processes of a benchmark, and what they say. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const script = fileURLToPath(new URL('worker-process.mjs', import.meta.url))

/** @typedef {{ readonly title: string, readonly attempt: number, readonly at: number }} Start */

/**
 * @param {import('./stores.mjs').Address} address
 * @param {(start: Start, pid: number) => void} onStart
 */
export async function startWorkerProcess(address, onStart) {
  const child = spawn(process.execPath, [script, JSON.stringify(address)], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })
  await once(lines, 'line')
  lines.on('line', (line) => onStart(JSON.parse(line), child.pid ?? 0))
  return {
    pid: child.pid ?? 0,
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    },
  }
}
