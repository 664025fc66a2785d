import { expect, it } from 'vitest'
import { runKillLoop } from './kill-loop.ts'
import { postgresPlace } from './postgres-place.ts'

it('ends every plan and repeats no effect through a minute of kills and suspensions', async () => {
  const report = await runKillLoop({ ms: 60_000, plans: 400, leaseMs: 2000, seed: Date.now() % 100_000 })
  console.info(JSON.stringify(report))
  expect(report.broken).toEqual([])
}, 300_000)

it('does so on PostgreSQL through half a minute', async ({ skip }) => {
  const place = await postgresPlace()
  if (typeof place === 'string') {
    skip(place)
    return
  }
  try {
    const report = await runKillLoop({ ms: 30_000, plans: 150, leaseMs: 2000, seed: Date.now() % 100_000, place })
    console.info(JSON.stringify(report))
    expect(report.broken).toEqual([])
  } finally {
    await place.stop()
  }
}, 300_000)
