// Removes a note, and stops itself right before the call that takes the name away: node remover.mjs ROOT KEY [HASH]
import { Capabilities, Locator } from '@agentm/storage-seam'
import { DirectoryBackend, filePath, nodeFileSystem } from '@agentm/vault-lock'
import { basename } from 'node:path'

const [root = '', key = '', ifHash] = process.argv.slice(2)
class Store extends DirectoryBackend {
  capabilities = new Capabilities({ conditionalWrite: true, removal: true })
}
let stood = false
/** @template {unknown[]} A @template R @param {(path: string, ...rest: A) => Promise<R>} call */
const stopping =
  (call) =>
  async (/** @type {string} */ path, /** @type {A} */ ...rest) => {
    if (!stood && basename(path) === basename(key)) {
      stood = true
      process.send?.(`about to take ${basename(path)} away`)
      // What was sent is under way before the process stops.
      await new Promise((resolve) => setImmediate(resolve))
      process.kill(process.pid, 'SIGSTOP')
    }
    return call(path, ...rest)
  }
const fs = { ...nodeFileSystem, unlink: stopping(nodeFileSystem.unlink), rename: stopping(nodeFileSystem.rename) }
const store = new Store(filePath(root), { fs })
const told = await store.remove(new Locator(key), ifHash === undefined ? {} : { ifHash }).then(
  () => 'removed',
  (error) => error.code,
)
process.send?.(told)
process.disconnect?.()
