import { runConformance } from '@agentm/conformance'
import { expect, it } from 'vitest'
import { MapBackend } from '../src/index.ts'

it('keeps every contract, and is not asked for what it does not promise', async () => {
  const { failed, skipped } = await runConformance(async () => new MapBackend())
  expect(failed).toEqual([])
  expect(skipped).toContainEqual(expect.objectContaining({ id: 'remove', why: 'it does not declare removal' }))
})
