import { expect, it } from 'vitest'
import { killedAt } from './apply-killed.ts'

it(
  'apply that is killed before any of its changes is completed by the next apply, and taken back by discard',
  { timeout: 1_800_000 },
  async () => {
    let nth = 0
    while (await killedAt(nth)) nth += 1
    // At least the journal, four files, and what is tidied up.
    expect(nth).toBeGreaterThan(5)
  },
)
