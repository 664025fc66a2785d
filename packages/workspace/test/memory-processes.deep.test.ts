import { expect, test } from 'vitest'
import { memoryFleet } from './memory-fleet.ts'

test.each(['device-local', 'vault'] as const)(
  'keeps and finds 400 notes of eight processes that save 50 each at once into %s',
  { timeout: 600_000 },
  async (backend) => {
    const fleet = await memoryFleet(backend, { processes: 8, saves: 50 })
    expect(fleet).toEqual({ saved: 400, found: 400, errors: '' })
  },
)
