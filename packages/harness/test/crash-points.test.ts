import { createInMemoryStore } from '@agentm/conformance/logs'
import { expect, it } from 'vitest'
import { harnessConcepts } from '../src/index.ts'
import { dieAndRecover } from './crash-points.ts'

const open = async () => createInMemoryStore({ concepts: harnessConcepts })

it.each(['before', 'after'] as const)(
  'a worker that dies leaves nothing that the next one cannot finish: %s each commit there is',
  async (when) => {
    let deaths = 0
    for (let at = 1; ; at++) {
      const { died, end, expected } = await dieAndRecover({ at, when }, open)
      expect(end, `died ${when} write ${at}`).toEqual(expected)
      if (!died) break
      deaths += 1
    }
    // Fewer would mean that the scenario, or the counting, no longer reaches what it is for.
    expect(deaths).toBeGreaterThan(25)
  },
)
