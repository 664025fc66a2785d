/** Lines that go silent without being cut: nobody waits for minutes. */
import { describe, expect, test } from 'vitest'
import { halfOpenWorld, limited, there, ways } from './half-open-world.ts'
import { ada, observation } from './sample-store.ts'

const { needs, setup } = halfOpenWorld()

describe.for(ways)('$way', ({ pooled }) => {
  test(
    'a question over a line that went silent is asked again over a new one',
    { timeout: 30_000 },
    async ({ skip }) => {
      needs(pooled, skip)
      const { line, store } = await setup(pooled)
      await Promise.all(Array.from({ length: 5 }, async () => store.log.latest(there, ada)))
      line.goSilent()
      line.heal()
      const began = performance.now()
      expect(await store.log.latest(there, ada)).toMatchObject({ version: 1 })
      // All idle connections share the fate of the one that was tried, so they are not tried one after the other.
      expect(await store.log.latest(there, ada)).toMatchObject({ version: 1 })
      expect(performance.now() - began).toBeLessThan(2 * (limited.statementTimeoutMs + 1000) + 1000)
    },
  )

  test(
    'an append into a silent line has an unknown outcome, soon, and trying again is safe',
    { timeout: 30_000 },
    async ({ skip }) => {
      needs(pooled, skip)
      const { line, store, witness } = await setup(pooled)
      for (const when of ['before', 'after'] as const) {
        const id = `v1:sample:observation:${when}`
        const write = async () =>
          store.log.append([observation(`words ${when}`, when)], { ...ada, expects: { [id]: 0 } })
        const silent = line.goSilentAt(`words ${when}`, when)
        await expect(write()).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' })
        await silent
        const again = await write().catch((error: unknown) => error)
        expect(again).toMatchObject(when === 'before' ? [{ version: 1 }] : { code: 'VERSION_CONFLICT' })
        expect(await witness.log.history(id, ada)).toHaveLength(1)
      }
    },
  )
})
