// @ts-check
/** Both sides filled with the same nodes, once per size and run; removed when the process ends. */
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { sampleConcepts } from '@agentm/conformance/logs'
import { openSqliteStore } from '@agentm/nodes-sqlite'
import { generator } from './data.mjs'
import { openFloor } from './floor.mjs'
import { ada, concept, draftOf, items } from './items.mjs'

const spreadMs = 120 * 24 * 3600 * 1000

/** @param {string} directory @param {Partial<import('@agentm/nodes-sqlite').SqliteStoreOptions>} [options] */
export function openOurs(directory, options = {}) {
  const file = /** @type {import('@agentm/vault-lock').FilePath} */ (path.join(directory, 'ours.db'))
  return openSqliteStore({ path: file, concepts: sampleConcepts, ...options })
}

/** @param {import('./items.mjs').Item} item @param {number} at */
export function rowOf({ id, content, vector }, at) {
  const length = Math.hypot(...vector)
  return { id, concept, content, unit: new Uint8Array(vector.map((value) => value / length).buffer), at }
}

/** @type {Map<number, ReturnType<typeof fill>>} */
const filled = new Map()

/** @param {number} size */
export function filledStores(size) {
  const known = filled.get(size) ?? fill(size)
  filled.set(size, known)
  return known
}

/** @param {number} size */
async function fill(size) {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'agentm-bench-nodes-'))
  process.on('exit', () => rmSync(directory, { recursive: true, force: true }))
  let clock = Date.now() - spreadMs
  const ours = await openOurs(directory, { runtime: { now: () => clock } })
  const floor = openFloor(path.join(directory, 'floor.db'))
  const from = generator(size)
  for (let done = 0; done < size; done += 1000) {
    const batch = items(from, `b${done}-`, Math.min(1000, size - done))
    await ours.log.append(batch.map(draftOf), { ...ada, durability: 'normal' })
    floor.append(batch.map((item) => rowOf(item, clock)))
    clock += (spreadMs * batch.length) / size
  }
  clock = Date.now()
  return { directory, ours, floor, now: () => clock }
}
