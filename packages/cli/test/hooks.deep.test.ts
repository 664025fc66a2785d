import { expect, it } from 'vitest'
import { hookRounds } from './hook-rounds.ts'

it('hooks say all of it, or that there was no time, on a store of 5,000 notes', { timeout: 600_000 }, async () => {
  const limits = [1, 20, 50, 80, 120, 160, 200, 250, 300, 400, 500, 700]
  const { prompt, session } = await hookRounds({ notes: 5000, limits })
  expect(prompt.whole.out).toContain('Every write takes the lock first')
  expect(session.whole.out).toContain('# Auto-context recall')
  for (const { whole, answers } of [prompt, session])
    for (const { code, out } of answers) {
      expect(code).toBe(0)
      expect([whole.out, expect.stringMatching(/^agentm: memory was not searched/)]).toContainEqual(out)
    }
})
