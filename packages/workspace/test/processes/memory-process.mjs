// @ts-check
/**
 * One process with a memory, for tests: saves what it is told and writes a line for each save that was acknowledged. It can be
 * told to die, without warning, before or after the nth thing it asks of its stores.
 */
import { consolidationCursor } from '@agentm/learning'
import { observation, openMemory, semanticMemory } from '@agentm/memory'
import { openSqliteStore } from '@agentm/nodes-sqlite'
import { openSqliteTables } from '@agentm/nodes-sqlite/tables'
import { filePath } from '@agentm/vault-lock'

/**
 * @typedef {object} Told
 * @property {string} root
 * @property {string} db
 * @property {'device-local' | 'vault'} [backend]
 * @property {readonly import('@agentm/memory').SaveRequest[]} saves
 * @property {number} [dieAt] The nth call, counted from 1.
 * @property {'before' | 'after'} [when]
 */

/** @type {Told} */
const told = JSON.parse(process.argv[2] ?? '{}')
let calls = 0
let armed = false

const store = await openSqliteStore({
  path: filePath(told.db),
  concepts: [observation, semanticMemory, consolidationCursor],
})
const index = await openSqliteTables({ path: `${told.db}.notes` })
/** @type {{ plugin: import('@agentm/storage-seam').BackendPlugin }} */
const { plugin } = await import(`@agentm/backend-${told.backend ?? 'device-local'}`)
const backend = await plugin.open({ root: told.root, vault_path: told.root })
const asked = ['read', 'write', 'update', 'info', 'list', 'listInfo', 'exists']
const memory = openMemory({
  backend: mortal(backend, asked),
  storeId: 'store-1',
  owner: 'ada',
  project: { slug: 'acme' },
  index: mortal(index, ['write']),
  recall: mortal(store.recall, ['recall']),
  log: store.log,
})
armed = true
for (const request of told.saves) {
  const { key } = await memory.save(request)
  console.log(JSON.stringify({ key, calls }))
}
await Promise.all([store.close(), index.close()])

/**
 * @template {object} T
 * @param {T} target
 * @param {readonly string[]} names
 * @returns {T}
 */
function mortal(target, names) {
  return new Proxy(target, {
    get(of, name) {
      const value = Reflect.get(of, name)
      if (typeof value !== 'function') return value
      if (!names.includes(String(name))) return value.bind(of)
      return async (/** @type {unknown[]} */ ...args) => {
        if (armed) calls++
        const isFatal = armed && calls === told.dieAt
        if (isFatal && told.when === 'before') process.kill(process.pid, 'SIGKILL')
        try {
          return await value.apply(of, args)
        } finally {
          if (isFatal) process.kill(process.pid, 'SIGKILL')
        }
      }
    },
  })
}
