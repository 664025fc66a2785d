/** Rounds in which a writer is killed while it writes, and another process goes on. */
import { readFileSync } from 'node:fs'
import { atomicWrite, vaultMutex } from '@agentm/vault-lock'
import { age, setup, namesIn } from './world.ts'

export interface Damage {
  /** Texts found that were not one whole text. */
  torn: number
  /** Files found beside the text after the next write. */
  stray: number
  /** Rounds in which the killed writer left something to sweep. */
  left: number
}

export async function killRounds(rounds: number): Promise<Damage> {
  const { root, lockRoot, lock, start, at } = await setup()
  const damage: Damage = { torn: 0, stray: 0, left: 0 }
  for (let round = 0; round < rounds; round++) {
    const writer = start('rewriter', root, at('note.md'))
    await writer.next()
    await new Promise((resolve) => setTimeout(resolve, 12 * Math.random()))
    writer.process.kill('SIGKILL')
    await writer.exit()
    if (new Set(readFileSync(at('note.md'), 'utf8').trimEnd().split('\n')).size !== 1) damage.torn++
    if (readFileSync(at('note.md'), 'utf8').split('\n').length !== 20_001) damage.torn++
    if (namesIn(root).length > 1) damage.left++
    // Ten seconds later.
    try {
      age(lock, 11_000)
    } catch {
      // Killed between two holds.
    }
    await vaultMutex(root, (hold) => atomicWrite(at('other.md'), `${round}`, { hold }), { lockRoot })
    damage.stray += namesIn(root).filter((name) => !['note.md', 'other.md'].includes(name)).length
  }
  return damage
}
