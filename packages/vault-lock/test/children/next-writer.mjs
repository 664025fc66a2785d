// Writes, and then waits, standing still, for a child that writes too: node next-writer.mjs ROOT HOW [SECOND]
import { spawnSync } from 'node:child_process'
import { Capabilities, Locator } from '@agentm/storage-seam'
import { atomicWrite, DirectoryBackend, filePath, lockedUpdate, vaultMutex } from '@agentm/vault-lock'

const [root = '', how = '', second] = process.argv.slice(2)
class Store extends DirectoryBackend {
  capabilities = new Capabilities()
}
const store = new Store(filePath(root))
const note = filePath(`${root}/note.md`)
/** @type {Record<string, () => Promise<unknown>>} */
const ways = {
  vaultMutex: () => vaultMutex(filePath(root), (hold) => atomicWrite(note, 'text', { hold })),
  lockedUpdate: () => lockedUpdate(filePath(root), note, () => `${performance.now()}`),
  write: () => store.write(new Locator('note.md'), 'text'),
  update: () => store.update(new Locator('note.md'), () => `${performance.now()}`),
}
const began = performance.now()
await ways[how]?.()
if (second === undefined) spawnSync(process.execPath, [process.argv[1] ?? '', root, how, 'second'], { stdio: 'ignore' })
process.send?.(performance.now() - began)
process.disconnect?.()
