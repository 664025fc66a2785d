// @ts-check
/** What looking for changes costs when there are none, and that it writes nothing: calls are counted, and files compared. */
import { DeviceLocalBackend } from '@agentm/backend-device-local'
import { consolidationCursor } from '@agentm/learning'
import { observation, openMemory, semanticMemory } from '@agentm/memory'
import { openSqliteStore } from '@agentm/nodes-sqlite'
import { openSqliteTables } from '@agentm/nodes-sqlite/tables'
import { readdir, readFile, stat } from 'node:fs/promises'
import { homedir, userInfo } from 'node:os'
import path from 'node:path'
import { filePath } from '@agentm/vault-lock'
import { interleave } from '../frame.mjs'
import { counting } from './counting.mjs'

const reads = {
  backend: ['resolve', 'read', 'exists', 'list', 'listInfo', 'info'],
  recall: ['recall', 'entries', 'pending'],
}

/** @param {{ readonly rounds: number }} settings */
export async function scan({ rounds }) {
  const root = path.join(homedir(), '.agentm')
  const store = path.join(root, 'memory')
  const marker = JSON.parse(await readFile(path.join(store, '_meta', 'agentm-store.json'), 'utf8'))
  const concepts = [observation, semanticMemory, consolidationCursor]
  const nodes = await openSqliteStore({ path: filePath(path.join(root, 'log', 'agentm.db')), concepts })
  const index = await openSqliteTables({ path: path.join(root, 'log', 'agentm.notes.db') })
  const calls = { writes: 0 }
  const memory = openMemory({
    backend: counting(new DeviceLocalBackend(filePath(store)), reads.backend, calls),
    storeId: marker.id,
    owner: userInfo().username,
    index: counting(index, ['read'], calls),
    recall: counting(nodes.recall, reads.recall, calls),
    log: nodes.log,
    scanBudgetMs: 60_000,
  })
  // A word that nobody wrote: nothing is found, so nothing is opened or ranked.
  const look = async () => {
    const { results, freshness } = await memory.recall({ text: 'qqxzv' })
    if (results.length > 0 || freshness.changed > 0 || freshness.store !== 'current')
      throw new Error(`something was found or had changed: ${JSON.stringify(freshness)}`)
  }
  await look()
  const before = await filesIn(root)
  const figures = await interleave(
    { ours: async () => milliseconds(look), floor: async () => milliseconds(() => statAll(store)) },
    rounds,
  )
  const after = await filesIn(root)
  await Promise.all([nodes.close(), index.close()])
  const touched = [...new Set([...before.keys(), ...after.keys()])].filter(
    (file) => before.get(file) !== after.get(file),
  )
  return { figures, counts: { writes: calls.writes, 'files changed': touched.length } }
}

/** @param {() => Promise<unknown>} work */
async function milliseconds(work) {
  const started = performance.now()
  await work()
  return performance.now() - started
}

/** @param {string} root */
async function statAll(root) {
  const names = await readdir(root, { recursive: true })
  await Promise.all(names.map(async (name) => stat(path.join(root, name))))
}

/** What a write would change of each file; times of mere reading do not count. @param {string} root @returns {Promise<Map<string, string>>} */
async function filesIn(root) {
  const names = await readdir(root, { recursive: true })
  const rows = names.map(async (name) => {
    const { ino, size, mtimeNs } = await stat(path.join(root, name), { bigint: true })
    return /** @type {const} */ ([name, `${ino} ${size} ${mtimeNs}`])
  })
  return new Map(await Promise.all(rows))
}
