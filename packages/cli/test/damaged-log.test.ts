/** A log with a page that cannot be read: what every command says, and what brings it back. */
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { builtAnew, damage, damagedWorld, isSaid, isSaidOnLooking, isWholeAgain, saysOfDamage } from './damaged-log.ts'
import { marking } from './plan-world.ts'

it('a damaged page ends run and worker, which name the file and what to do', { timeout: 60_000 }, async () => {
  const world = await damagedWorld('fairness')
  const told = await saysOfDamage(world, [['run', world.planId], ['worker'], ['worker', '--once']])
  expect(told).toEqual({ run: isSaid, worker: isSaid, 'worker --once': isSaid, ...isSaidOnLooking })
})

it('a log is built anew from its history where that is whole', { timeout: 60_000 }, async () => {
  expect(await builtAnew(await damagedWorld('heads'))).toEqual(isWholeAgain)
})

it('a backup brings back a log whose history is damaged itself', { timeout: 60_000 }, async () => {
  const { cli, planId, log } = await damagedWorld('heads_status')
  await cli.agentm(['log', 'rebuild'])
  await cli.agentm(['log', 'backup', 'copy.db'])
  await damage(log, 'nodes')
  const rebuilt = await cli.agentm(['log', 'rebuild'])
  expect(rebuilt).toMatchObject({ code: 1, err: expect.stringContaining('agentm log restore FILE') })
  expect((await cli.agentm(['log', 'restore', 'copy.db'])).code).toBe(0)
  expect((await cli.agentm(['run', planId])).code).toBe(0)
})

it('a damaged log is not built anew while somebody uses it', { timeout: 60_000 }, async () => {
  const { world, cli } = await damagedWorld('segments_embedder')
  const planId = await world.plan(`goal: h\nsteps:\n${marking('long', { until: 'go' })}`)
  const run = cli.start(['run', planId])
  await world.untilTold('long 0')
  expect(await cli.agentm(['log', 'rebuild'])).toMatchObject({ code: 1, err: expect.stringContaining('STORE_BUSY') })
  await writeFile(path.join(cli.repo, 'go'), '')
  expect(await run.ended()).toBe(0)
  expect((await cli.agentm(['log', 'rebuild'])).code).toBe(0)
})
