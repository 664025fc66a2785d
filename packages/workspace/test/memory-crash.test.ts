import { expect, test } from 'vitest'
import { crashAt, stepsOfSave } from './memory-crash.ts'

test.each(['device-local', 'vault'] as const)(
  'loses no note of a %s store and leaves none half indexed, at whichever step a saver is killed',
  { timeout: 120_000 },
  async (kind) => {
    const steps = await stepsOfSave(kind)
    expect(steps).toBeGreaterThan(5)
    const crash = async (dieAt: number) => crashAt(kind, { dieAt, when: 'before' })
    const ends = []
    for (let step = 1; step <= steps; step += 2)
      ends.push(...(await Promise.all([crash(step), crash(Math.min(step + 1, steps))])))
    for (const end of ends) expect(end).toMatchObject({ died: true, isWhole: true, isLost: false })
    expect(new Set(ends.map(({ isThere }) => isThere))).toEqual(new Set([false, true]))
  },
)
