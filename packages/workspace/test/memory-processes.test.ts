import { expect, test } from 'vitest'
import { memoryFleet } from './memory-fleet.ts'

test('keeps and finds every note of three processes that save at once', { timeout: 60_000 }, async () => {
  const fleet = await memoryFleet({ processes: 3, saves: 8 })
  expect(fleet).toEqual({ saved: 24, found: 24, errors: '' })
})
