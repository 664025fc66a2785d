import { describe, expect, it } from 'vitest'
import { backends, registryRace } from './registry-race.ts'

describe('the repository registry', () => {
  it.each(Object.entries(backends))('loses none of 3 × 10 registrations made at once on %s', async (_, backend) => {
    expect(await registryRace(backend, { processes: 3, each: 10 })).toBe(30)
  })
})
