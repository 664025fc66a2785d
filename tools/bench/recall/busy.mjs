// @ts-check
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { guard } from '../../guard.mjs'

/**
 * Keeps the processors busy with this number of loops while `work` runs.
 * @template T @param {number} loops @param {() => Promise<T>} work @returns {Promise<T>}
 */
export async function whileBusy(loops, work) {
  const children = Array.from({ length: loops }, () => {
    const child = spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' })
    guard(child, { signal: 'KILL' })
    return child
  })
  try {
    return await work()
  } finally {
    const ended = children.map((child) => once(child, 'exit'))
    for (const child of children) child.kill('SIGKILL')
    await Promise.all(ended)
  }
}
