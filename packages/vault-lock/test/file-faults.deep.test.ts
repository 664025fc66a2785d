import { expect, it } from 'vitest'
import { failEachCall, faults, trials } from './file-faults.ts'

it.each(trials(faults))('$name keeps what was stored whole when a call fails: $fault', async ({ verb, fault }) => {
  expect(await failEachCall(verb, fault)).toBeGreaterThan(0)
})
