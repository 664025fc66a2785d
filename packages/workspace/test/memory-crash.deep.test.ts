import { expect, test } from 'vitest'
import { crashAt, stepsOfSave } from './memory-crash.ts'

test.each(['device-local', 'vault'] as const)(
  'loses no note of a %s store whether a saver is killed before or after a step, each of them thrice',
  { timeout: 900_000 },
  async (kind) => {
    const steps = await stepsOfSave(kind)
    for (let round = 0; round < 3; round++)
      for (let dieAt = 1; dieAt <= steps; dieAt++) {
        const crashes = (['before', 'after'] as const).map(async (when) => crashAt(kind, { dieAt, when }))
        for (const end of await Promise.all(crashes))
          expect({ dieAt, ...end }).toMatchObject({ died: true, isWhole: true, isLost: false })
      }
  },
)
