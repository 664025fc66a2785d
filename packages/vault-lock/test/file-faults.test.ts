import { expect, it } from 'vitest'
import { failEachCall, trials } from './file-faults.ts'

/** Two kinds of fault here; the deep tier has them all. */
it.each(trials(['EIO', 'cut short']))(
  '$name keeps what was stored whole when a call fails: $fault',
  async ({ verb, fault }) => {
    expect(await failEachCall(verb, fault)).toBeGreaterThan(0)
  },
)
