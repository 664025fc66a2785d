// @ts-check
/** Eight that wait for each other, in any process of this machine. Who came stays, so one that was killed does not wait again. */
import { readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** @param {string} directory @param {number} n */
export async function meetAt(directory, n) {
  await writeFile(path.join(directory, `${n}`), '')
  while ((await readdir(directory)).length < 8) await sleep(50)
}
