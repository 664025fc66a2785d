/** A sample of forged-lines.deep.test.ts. */
import { expect, it } from 'vitest'
import { faultsIn, furnished } from './forged-world.ts'

it('never begin a line of their own in a hook', { timeout: 60_000 }, async () => {
  const { world } = await furnished()
  for (const hook of ['session-start', 'prompt-submit']) {
    const input = JSON.stringify({ cwd: world.repo, prompt: 'where is the zirconium lamp?' })
    const { out } = await world.agentm(['hook', hook, '--within', '60000'], input)
    expect(out).toContain('zirconium lamp')
    expect(faultsIn(out)).toEqual([])
  }
})
