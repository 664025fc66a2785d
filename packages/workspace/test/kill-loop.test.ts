import { expect, it } from 'vitest'
import { runKillLoop } from './kill-loop.ts'
import { postgresPlace } from './postgres-place.ts'

it('ends every plan and repeats no effect while its workers are killed and suspended', async () => {
  const report = await runKillLoop({ ms: 4000, plans: 40, leaseMs: 1500, seed: 7 })
  console.info(JSON.stringify(report))
  expect(report.broken).toEqual([])
}, 90_000)

it('does so on PostgreSQL', async ({ skip }) => {
  const place = await postgresPlace()
  if (typeof place === 'string') {
    skip(place)
    return
  }
  try {
    const report = await runKillLoop({ ms: 2500, plans: 12, leaseMs: 1500, seed: 7, place })
    expect(report.broken).toEqual([])
  } finally {
    await place.stop()
  }
}, 240_000)
