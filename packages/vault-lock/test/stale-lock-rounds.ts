/** Rounds in which several processes meet the lock of a dead one, all at the same moment. */
import { existsSync, rmSync } from 'node:fs'
import { plantLock, setup } from './world.ts'

/** How many entered while another was inside. */
export async function staleLockRounds(rounds: number, way: 'vaultMutex' | 'naive'): Promise<number> {
  const { root, lock, start, at } = await setup()
  const racers = Array.from({ length: 6 }, () => start('racer', root, lock, way))
  await Promise.all(racers.map((racer) => racer.next()))
  let doubles = 0
  for (let round = 0; round < rounds; round++) {
    if (way === 'vaultMutex') await released(lock)
    rmSync(lock, { recursive: true, force: true })
    rmSync(at('inside'), { force: true })
    plantLock(lock, 60_000)
    for (const racer of racers) racer.process.send('go')
    const answers = await Promise.all(racers.map((racer) => racer.next()))
    doubles += answers.filter((double) => double === true).length
  }
  return doubles
}

/** A lock that still lingers is its holder's: to remove it would be the fault these rounds look for. */
async function released(lock: string): Promise<void> {
  while (existsSync(lock)) await new Promise((resolve) => setTimeout(resolve, 1))
}
