import { expect, it } from 'vitest'
import { runKillLoop } from './kill-loop.ts'

it('ends every plan and repeats no effect through a minute of kills and suspensions', async () => {
  const report = await runKillLoop({ ms: 60_000, plans: 400, leaseMs: 2000, seed: Date.now() % 100_000 })
  console.info(JSON.stringify(report))
  expect(report.broken).toEqual([])
}, 300_000)
