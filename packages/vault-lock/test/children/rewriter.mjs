// Writes a text that shows whether it is whole, over and over, until it is killed: node rewriter.mjs ROOT TARGET
import { atomicWrite, filePath, vaultMutex } from '@agentm/vault-lock'

const [root = '', target = ''] = process.argv.slice(2)
for (let i = 0; ; i++) {
  const line = `${process.pid}-${i}\n`
  await vaultMutex(filePath(root), (hold) => atomicWrite(filePath(target), line.repeat(20_000), { hold }))
  if (i === 0) process.send?.('once')
}
