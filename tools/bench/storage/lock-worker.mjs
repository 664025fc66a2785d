// @ts-check
/**
 * Takes one lock after the other, each found dead, and looks whether it is alone inside. Arguments: which lock. For each
 * message with a round's directory it answers with how many times somebody else was there too.
 */
import { mkdir, rmdir } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { endWithParent } from '../../end-with-parent.mjs'
import { underProperLockfile } from './write-file.mjs'

endWithParent()

const [way = ''] = process.argv.slice(2)

process.on('message', (/** @type {string} */ root) => {
  enter(root).then(
    (doubles) => process.send?.({ root, doubles }),
    (error) => {
      console.error(error)
      process.exit(1)
    },
  )
})
process.send?.('ready')

/** @param {string} root */
async function enter(root) {
  const inside = path.join(root, 'inside')
  const look = async () => {
    try {
      await mkdir(inside)
    } catch {
      return 1
    }
    await sleep(2)
    await rmdir(inside)
    return 0
  }
  if (way === 'peer') return underProperLockfile(root, look, 'eager')
  const { vaultMutex, filePath } = await import('@agentm/vault-lock')
  return vaultMutex(filePath(root), look)
}
