import { expect, test } from 'vitest'
import { memoryFleet } from './memory-fleet.ts'

test.each(['device-local', 'vault'] as const)(
  'keeps and finds every note of three processes that save at once into %s',
  { timeout: 120_000 },
  async (backend) => {
    const fleet = await memoryFleet(backend, { processes: 3, saves: 8 })
    expect(fleet).toEqual({ saved: 24, found: 24, errors: '' })
  },
)
