import { expect, test } from 'vitest'
import { compareWithBruteForce } from './exact-recall.ts'

test('recall equals brute force on 10,000 generated stores', { timeout: 900_000 }, async () => {
  let widened = 0
  for (let seed = 0; seed < 100; seed++)
    widened += (await compareWithBruteForce({ stores: 100, seed: 1000 + seed, questions: 1 })).widened
  expect(widened).toBeGreaterThan(0)
})
