import { expect, test } from 'vitest'
import { crashAt, stepsOfSave } from './memory-crash.ts'

test(
  'loses no note and leaves none half indexed, at whichever step a saver is killed',
  { timeout: 60_000 },
  async () => {
    const steps = await stepsOfSave()
    expect(steps).toBeGreaterThan(5)
    const ends = []
    for (let step = 1; step <= steps; step += 2)
      ends.push(...(await Promise.all([crashAt(step, 'before'), crashAt(Math.min(step + 1, steps), 'before')])))
    for (const end of ends) expect(end).toMatchObject({ died: true, isWhole: true, isLost: false })
    expect(new Set(ends.map(({ isThere }) => isThere))).toEqual(new Set([false, true]))
  },
)
