import { expect, test } from 'vitest'
import { memoryFleet } from './memory-fleet.ts'

test('keeps and finds 400 notes of eight processes that save 50 each at once', { timeout: 600_000 }, async () => {
  const fleet = await memoryFleet({ processes: 8, saves: 50 })
  expect(fleet).toEqual({ saved: 400, found: 400, errors: '' })
})
