// @ts-check
/** One process of the demo: adds lines to note.md and tells its parent of each one that was acknowledged as written. */
import { plugin } from '@agentm/backend-device-local'
import { endWithParent } from '../end-with-parent.mjs'

endWithParent()
const [root = '', name = ''] = process.argv.slice(2)
const store = await plugin.open({ root })
const note = store.resolve('note.md')
const wanted = { large: false, stop: false }
process.on('message', (message) => {
  if (message === 'stop') wanted.stop = true
  else wanted.large = true
})

for (let n = 1; !wanted.stop; n++) {
  const line = wanted.large ? `${name} ${n} ${'x'.repeat(32 * 1024 * 1024)} end` : `${name} ${n}`
  await add(line)
  process.send?.(`${name} ${n}`)
}
process.disconnect()

/** @param {string} line */
async function add(line) {
  for (;;) {
    try {
      await store.update(note, (text = '') => `${text}${line}\n`)
      return
    } catch (error) {
      // A wait for a lock ends after ten seconds. Nothing was written then, so trying again is right, and ours to decide.
      if (!(error instanceof Error && 'code' in error && error.code === 'LOCK_TIMEOUT')) throw error
    }
  }
}
