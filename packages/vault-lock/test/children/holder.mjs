// Holds the lock, says so, and then does what it is told: node holder.mjs ROOT TARGET [HABIT]
import { atomicWrite, filePath, vaultMutex } from '@agentm/vault-lock'

const [root = '', target = '', habit = ''] = process.argv.slice(2)
const told = () => new Promise((resolve) => process.once('message', resolve))

if (habit === 'exits on SIGTERM') process.on('SIGTERM', () => process.exit(7))
if (habit === 'ignores SIGTERM') process.on('SIGTERM', () => process.send?.('heard'))
if (habit === 'counts listeners') {
  // As many do: alone with a signal, die of it.
  const die = (/** @type {NodeJS.Signals} */ signal) => {
    if (process.listenerCount(signal) > 1) return
    process.off(signal, die)
    process.kill(process.pid, signal)
  }
  process.on('SIGTERM', die)
}

await vaultMutex(filePath(root), async (hold) => {
  process.send?.('in')
  const order = await told()
  if (order === 'exit') process.exit(3)
  if (order === 'throw')
    setImmediate(() => {
      throw new Error('planned')
    })
  if (order === 'forget') process.disconnect?.()
  if (order !== 'write') await new Promise(() => {})
  process.send?.(
    await atomicWrite(filePath(target), 'from the first holder', { hold }).then(
      () => 'written',
      (error) => error.code,
    ),
  )
})
process.disconnect?.()
