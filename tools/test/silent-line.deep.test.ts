/** A worker whose line to the server goes silent, and the commands of somebody who looks meanwhile. */
import { harnessConcepts, openHarness, startWorker, type StepKind } from '@agentm/harness'
import { openPostgresStore } from '@agentm/nodes-postgres'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { CliWorld } from '../../packages/cli/test/cli-world.ts'
import { findPostgres, type OwnPostgres, startPostgres } from '../postgres-server.mjs'
import { type SilentLine, silentLine } from '../silent-line.mjs'

const found = findPostgres()
let started: OwnPostgres | undefined
beforeAll(async () => {
  if (typeof found !== 'string') started = await startPostgres(found)
}, 60_000)
afterAll(async () => started?.stop(), 60_000)

async function lineTo(skip: (why: string) => void): Promise<{ server: OwnPostgres; line: SilentLine }> {
  if (typeof found === 'string') skip(found)
  if (started === undefined) throw new Error('the server is started before the first test')
  const line = await silentLine(started)
  onTestFinished(() => line.stop())
  return { server: started, line }
}

it(
  'a worker whose lines went silent says so, and goes on as soon as there are new ones',
  { timeout: 120_000 },
  async ({ skip }) => {
    const { server, line } = await lineTo(skip)
    const schema = server.newSchema()
    const planner = await openPostgresStore({ url: server.url, schema, concepts: harnessConcepts })
    onTestFinished(() => planner.close())
    const store = await openPostgresStore({ url: line.url, schema, concepts: harnessConcepts, patienceMs: 1000 })
    onTestFinished(() => store.close())
    const codes: unknown[] = []
    const quick: StepKind = { name: 'quick', run: async () => ({ end: 'done' }) }
    const worker = await startWorker({
      store,
      owners: ['ada'],
      kinds: [quick],
      onError: (error) => codes.push(error instanceof Error && 'code' in error ? error.code : error),
    })
    onTestFinished(() => worker.stop())
    const harness = openHarness({ store: planner, owner: 'ada', actor: 'test' })
    const plan = async () => harness.createPlan({ goal: 'a step', steps: [{ key: 'a', title: 'a', kind: 'quick' }] })
    const first = await plan()
    expect((await harness.ended(first.planId)).status).toBe('done')

    line.goSilent()
    const began = performance.now()
    const second = await plan()
    // Without a single answer it is known after the 15 s that a statement may take, and not after minutes.
    await expect.poll(() => codes, { timeout: 40_000 }).toContain('SERVER_UNREACHABLE')
    expect(performance.now() - began).toBeLessThan(35_000)
    line.heal()
    expect((await harness.ended(second.planId)).status).toBe('done')
  },
)

it(
  'whoever asks for the status over a line that goes silent is told that the server does not answer',
  { timeout: 120_000 },
  async ({ skip }) => {
    const { server, line } = await lineTo(skip)
    const cli = await CliWorld.forThisTest()
    cli.variables['AGENTM_NODES_URL'] = server.url
    expect(await cli.agentm(['log', 'migrate'])).toMatchObject({ code: 0 })
    const store = await openPostgresStore({ url: server.url, concepts: harnessConcepts })
    await openHarness({ store, owner: 'ada', actor: 'test' }).createPlan({
      goal: 'a step',
      steps: [{ key: 'a', title: 'a', kind: 'quick' }],
    })
    await store.close()

    cli.variables['AGENTM_NODES_URL'] = line.url
    const silent = line.goSilentAt('from "agentm".heads', 'before')
    const began = performance.now()
    const asking = cli.agentm(['status'])
    await silent
    line.goSilent()
    const { code, err } = await asking
    expect(code).toBe(1)
    expect(err).toMatch(/no PostgreSQL server answers at 127\.0\.0\.1:\d+\/postgres/)
    expect(err).not.toContain('being written')
    expect(performance.now() - began).toBeLessThan(60_000)
  },
)
