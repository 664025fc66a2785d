// @ts-check
/** Preloaded: kills this process with SIGKILL before the nth change in the folder KILL_IN, or of the journal of an apply. */
import fs from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'

const folder = process.env['KILL_IN'] ?? ''
let left = Number(process.env['KILL_AT'])

for (const name of /** @type {const} */ (['rename', 'rm', 'rmdir', 'mkdir'])) {
  const real = /** @type {(...args: unknown[]) => Promise<unknown>} */ (fs[name])
  /** @param {...unknown} args */
  const counted = async (...args) => {
    const isChange = args.some(
      (arg) => typeof arg === 'string' && (arg.startsWith(folder) || arg.endsWith('apply.json')),
    )
    if (isChange && left-- === 0) process.kill(process.pid, 'SIGKILL')
    return real(...args)
  }
  Object.assign(fs, { [name]: counted })
}
syncBuiltinESMExports()
