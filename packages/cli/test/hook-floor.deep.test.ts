import { expect, it } from 'vitest'
import { whatTheHookSays } from './hook-floor.ts'

it.each([300, 2000] as const)(
  'the prompt hook speaks at 2 % of ordinary prompts at most and shows nine of ten answers first, among %i notes',
  { timeout: 900_000 },
  async (notes) => {
    const { ordinary, answered } = await whatTheHookSays({ notes, ordinary: 250, answered: 100 })
    expect(ordinary).toBeLessThanOrEqual(0.02)
    expect(answered).toBeGreaterThanOrEqual(0.9)
  },
)
