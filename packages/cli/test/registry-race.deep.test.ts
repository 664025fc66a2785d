import { describe, expect, it } from 'vitest'
import { backends, registryRace } from './registry-race.ts'

describe('the repository registry', () => {
  it.each(Object.entries(backends))('loses none of 8 × 50 registrations made at once on %s', async (_, backend) => {
    expect(await registryRace(backend, { processes: 8, each: 50 })).toBe(400)
  })
})
