import { expect, it } from 'vitest'
import { runKillLoop } from './kill-loop.ts'

it('ends every plan and repeats no effect while its workers are killed and suspended', async () => {
  const report = await runKillLoop({ ms: 4000, plans: 40, leaseMs: 1500, seed: 7 })
  console.info(JSON.stringify(report))
  expect(report.broken).toEqual([])
}, 90_000)
