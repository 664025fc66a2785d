import { fuzzKeys } from '@agentm/conformance'
import { normalizeKey } from '@agentm/storage-seam'
import { expect, it } from 'vitest'

it('finds none of a million keys that leads out', { timeout: 300_000 }, () => {
  const { accepted, refused } = fuzzKeys({ normalize: normalizeKey, count: 1_000_000, seed: 20_26 })
  expect(accepted + refused).toBe(1_000_000)
  expect(accepted).toBeGreaterThan(200_000)
})
