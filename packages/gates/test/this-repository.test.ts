import path from 'node:path'
import { runGates } from '@agentm/gates'
import { expect, it } from 'vitest'

it('keeps its own gates', { timeout: 240_000 }, async () => {
  const { findings } = await runGates({ root: path.resolve(import.meta.dirname, '../../..') })
  expect(findings).toEqual([])
})
