import { expect, test } from 'vitest'
import { crashAt, stepsOfSave } from './memory-crash.ts'

test(
  'loses no note whether a saver is killed before or after a step, each of them thrice',
  { timeout: 600_000 },
  async () => {
    const steps = await stepsOfSave()
    for (let round = 0; round < 3; round++)
      for (let step = 1; step <= steps; step++)
        for (const end of await Promise.all([crashAt(step, 'before'), crashAt(step, 'after')]))
          expect({ step, ...end }).toMatchObject({ died: true, isWhole: true, isLost: false })
  },
)
