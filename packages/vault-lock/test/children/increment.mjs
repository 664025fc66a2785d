// Counts up a file, so many times: node increment.mjs ROOT TARGET TIMES
import { filePath, lockedUpdate } from '@agentm/vault-lock'

const [root = '', target = '', times = ''] = process.argv.slice(2)
for (let i = 0; i < Number(times); i++)
  await lockedUpdate(filePath(root), filePath(target), (text = '0') => `${Number(text) + 1}`)
process.disconnect?.()
