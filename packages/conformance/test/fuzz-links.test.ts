import { fuzzLinks, type MakeBackend } from '@agentm/conformance'
import type { Locator } from '@agentm/storage-seam'
import { describe, expect, it } from 'vitest'
import { DirectoryBackend } from './planted/directory-backend.ts'

describe('fuzzLinks', () => {
  it('finds no access outside the root of a backend that follows no links', async () => {
    const report = await fuzz(async (directory) => new DirectoryBackend(directory))
    expect(report.layouts).toBe(60)
    expect(report.links).toBeGreaterThan(200)
    expect(report.refused['OUTSIDE_STORE']).toBeGreaterThan(100)
  })

  it.each([
    ['shows what is outside', 'change', 'shows what lies outside the root'],
    ['changes what is outside', 'look', 'something outside the root was changed'],
  ] as const)('finds a backend that %s, and names the layout', async (_, checked, complaint) => {
    class ChecksHalf extends DirectoryBackend {
      protected override async checkLinks(at: Locator, purpose: 'look' | 'change') {
        if (purpose === checked) await super.checkLinks(at, purpose)
      }
    }
    const message = new RegExp(`${complaint} \\(layout with seed \\d+\\)`)
    await expect(fuzz(async (directory) => new ChecksHalf(directory))).rejects.toThrow(message)
  })
})

async function fuzz(make: MakeBackend) {
  return fuzzLinks({ make, filesIn: (directory) => directory, layouts: 60, seed: 7 })
}
