/** A kind of step from a package, as a person meets it: installed into the prefix of their home, allowed by one line of config. */
import path from 'node:path'
import { harnessConcepts, openHarness } from '@agentm/harness'
import { openSqliteStore } from '@agentm/nodes-sqlite'
import { expect, it } from 'vitest'
import { CliWorld } from './cli-world.ts'
import { installPlugin, shownPlugin } from './install-plugin.ts'

const newPlan = ['plan', 'new', '--steps', 'plan.yaml']

async function setup() {
  const world = await CliWorld.forThisTest()
  await world.agentm(['config', 'set', 'owner', 'ada'])
  await world.file(
    'repo/plan.yaml',
    'goal: know how long it is\nsteps:\n  - { key: count, kind: count, input: { text: one two three } }\n',
  )
  return world
}

async function resultsOf(world: CliWorld, planId: string) {
  const store = await openSqliteStore({
    path: path.join(world.home, '.agentm/log/agentm.db'),
    concepts: harnessConcepts,
  })
  try {
    const steps = await openHarness({ store, owner: 'ada', actor: 'test' }).steps(planId)
    return steps.map(({ payload }) => payload.result)
  } finally {
    await store.close()
  }
}

it('a kind that a package brings runs once one line of config allows it, and until then commands say which line', async () => {
  const world = await setup()
  await installPlugin(world.home, 'agentm-step-count', {
    source: await shownPlugin('packages/harness/README.md', 'StepKindPlugin'),
    agentm: { steps: './index.js', kinds: ['count'] },
  })
  const refused = await world.agentm([...newPlan, '--run'])
  expect([refused.code, refused.err]).toEqual([
    1,
    expect.stringContaining('agentm config set harness.kinds agent,approval,count [KIND_NOT_ALLOWED]'),
  ])
  await world.agentm(['config', 'set', 'harness.kinds', 'agent,approval,count'])
  const ran = await world.json([...newPlan, '--run'])
  expect(ran).toMatchObject({ status: 'done' })
  expect(await resultsOf(world, String(ran['planId']))).toEqual([{ words: 3 }])
  expect((await world.agentm(['doctor'])).out).toContain('steps [OK] count, from the plugin agentm-step-count')
})

it('a durable function that a package brings runs, waits for a signal, and goes on in the next process', async () => {
  const world = await setup()
  await world.file(
    'repo/trip.yaml',
    'goal: a trip\nsteps:\n  - { key: run, kind: "function:trip", input: { to: Lisbon } }\n',
  )
  const source = `import { durable } from '@agentm/harness'
import { z } from 'zod'
const trip = durable('trip', { input: z.object({ to: z.string() }) }, async (run, { to }) => {
  const flight = await run.step('book', () => 'flight to ' + to)
  return { flight, paid: await run.signal('paid') }
})
export const plugin = { contract: 1, open: async () => [trip] }
`
  await installPlugin(world.home, 'agentm-step-trip', {
    source,
    agentm: { steps: './index.js', kinds: ['function:trip'] },
  })
  await world.agentm(['config', 'set', 'harness.kinds', 'function:trip'])
  const waits = await world.json(['plan', 'new', '--steps', 'trip.yaml', '--id', 'trip-1', '--run'])
  expect(waits).toMatchObject({ status: 'running' })
  expect((await world.agentm(['status', 'trip-1'])).out).toContain('a signal: paid')
  expect((await world.agentm(['signal', 'trip-1', 'paid', '{"eur":420}'])).out).toContain('Sent paid to trip-1.')
  expect(await world.json(['run', 'trip-1'])).toMatchObject({ status: 'done' })
  expect(await resultsOf(world, 'trip-1')).toEqual([{ value: { flight: 'flight to Lisbon', paid: { eur: 420 } } }])
  expect((await world.agentm(['trace', 'trip-1'])).out).toMatch(
    /step "book" done[\s\S]+signal "paid" waiting[\s\S]+signal "paid" done/,
  )
})

it('a kind that nobody brings is refused with the kinds there are, also where the opened project holds a package for it', async () => {
  const world = await setup()
  const hasRun = path.join(world.home, 'ran')
  const source = `import { writeFileSync } from 'node:fs'\nwriteFileSync(${JSON.stringify(hasRun)}, '')\n`
  await installPlugin(world.home, 'agentm-step-count', { source, agentm: { steps: './index.js' } }, world.repo)
  const { code, err } = await world.agentm(newPlan)
  expect([code, err]).toEqual([1, expect.stringContaining('there is no kind "count". Choose from: agent, approval,')])
  expect(err).toContain('install its package beside agentm')
  expect(await world.json(['status', '--all'])).toEqual({ plans: [] })
  await world.agentm(['config', 'set', 'harness.plugins', 'agentm-step-count'])
  const named = await world.agentm(newPlan)
  expect([named.code, named.err]).toEqual([1, expect.stringContaining('agentm-step-count is named in harness.plugins')])
  await expect(world.read('ran')).rejects.toMatchObject({ code: 'ENOENT' })
})
