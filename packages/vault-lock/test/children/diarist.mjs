// Tries so often to count up its own entry of a JSON file, and tells what came of it: node diarist.mjs ROOT TARGET NAME TRIES
import { filePath, lockedUpdate } from '@agentm/vault-lock'

const [root = '', target = '', name = '', tries = '0'] = process.argv.slice(2)
let written = 0
let lost = 0
/** @type {string[]} */
const refusals = []
for (let n = 0; n < Number(tries); n++) {
  let found = 0
  try {
    await lockedUpdate(filePath(root), filePath(target), (text = '{}') => {
      const entries = JSON.parse(text)
      found = entries[name] ?? 0
      return JSON.stringify({ ...entries, [name]: written + 1 })
    })
    if (found !== written) lost += 1
    written += 1
  } catch (error) {
    const { code, message } = /** @type {{ code?: string, message: string }} */ (error)
    refusals.push(`${code}: ${message}`)
  }
}
process.send?.({ name, written, lost, refusals })
process.disconnect?.()
