// Counts up its own entry of a JSON file until it is killed, and tells each write: node ledger.mjs ROOT TARGET NAME
import { filePath, lockedUpdate } from '@agentm/vault-lock'

const [root = '', target = '', name = ''] = process.argv.slice(2)
process.on('disconnect', () => process.exit())
for (let count = 1; ; count++) {
  let found = 0
  try {
    await lockedUpdate(filePath(root), filePath(target), (text = '{}') => {
      const entries = JSON.parse(text)
      found = entries[name] ?? 0
      return `${JSON.stringify({ ...entries, [name]: count }, null, 2)}\n`
    })
  } catch (error) {
    process.send?.({ name, refused: /** @type {{ code?: unknown }} */ (error).code })
    count -= 1
    continue
  }
  process.send?.({ name, count, lost: found === count - 1 ? 0 : 1 })
}
