// @ts-check
/** The processes that carry a variable. Only Linux shows the variables of a process. */
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

/** @param {string} variable such as HOME=/home/ada @returns {Promise<readonly number[]>} */
export async function processesOf(variable) {
  if (process.platform !== 'linux') return []
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/u.test(name))
  const found = await Promise.all(
    ids.map(async (id) => {
      // Those of other users, and those that have just ended, show none.
      const text = await readFile(`/proc/${id}/environ`, 'utf8').catch(() => '')
      return text.split('\0').includes(variable) ? [Number(id)] : []
    }),
  )
  return found.flat()
}

/** Those that are still there after a while. @param {string} variable @param {number} [patienceMs] */
export async function processesLeft(variable, patienceMs = 5000) {
  const until = Date.now() + patienceMs
  for (;;) {
    const left = await processesOf(variable)
    if (left.length === 0 || Date.now() >= until) return left
    await sleep(100)
  }
}
