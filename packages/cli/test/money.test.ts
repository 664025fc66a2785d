/** What a model may cost, in dollars, from the setting to the end of a plan; with built processes and a scripted model. */
import { describe, expect, it, onTestFinished } from 'vitest'
import { startScriptedServer } from '../../../tools/scripted-model.mjs'
import { CliWorld } from './cli-world.ts'

const goal = 'Say hello to everybody'
const prices = '{"scripted": {"input": 3, "output": 15}}'

async function world(script: Parameters<typeof startScriptedServer>[0] = []) {
  const cli = await CliWorld.make()
  onTestFinished(() => cli.remove())
  const server = await startScriptedServer(script)
  onTestFinished(() => server.close())
  await cli.file(
    '.claude/.agentm-config.json',
    JSON.stringify({ owner: 'ada', 'models.url': server.url, 'models.model': 'scripted' }),
  )
  return { cli, server }
}

describe('a limit of money', { timeout: 60_000 }, () => {
  it('is refused for a model without a price, with the key to set, before anything is asked', async () => {
    const { cli, server } = await world()
    const { code, err } = await cli.agentm(['do', goal, '--max-cost', '0.5'])
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('no price for the model scripted') })
    expect(err).toContain('agentm config set models.prices \'{"scripted":{"input":3,"output":15}}\'')
    await cli.file('repo/plan.yaml', 'goal: g\nbudget: { maxCost: 0.5 }\nsteps: [{ key: a, kind: agent }]\n')
    const { planId } = await cli.json(['plan', 'new', '--steps', 'plan.yaml'])
    const run = await cli.agentm(['run', String(planId)])
    expect({ code: run.code, err: run.err }).toEqual({ code: 1, err: expect.stringContaining('models.prices') })
    expect(server.requests).toEqual([])
  })

  it('is refused for a plan inside a plan, too', async () => {
    const { cli } = await world()
    await cli.file('repo/inner.yaml', 'budget: { maxCost: 0.5 }\nsteps: [{ key: a }]\n')
    await cli.file('repo/plan.yaml', 'goal: g\nsteps: [{ key: before, sleep: 1 ms }, { key: b, plan: inner.yaml }]\n')
    const run = await cli.agentm(['run', 'plan.yaml'])
    expect({ code: run.code, err: run.err }).toEqual({ code: 1, err: expect.stringContaining('models.prices') })
    expect(await cli.json(['status'])).toMatchObject({ plans: [] })
  })

  it('fails a plan in any worker whose model has no price, before its first step, and asks the model nothing', async () => {
    const { cli, server } = await world()
    await cli.agentm(['config', 'set', 'harness.kinds', 'agent,command'])
    const first = '{ key: first, kind: command, input: { command: touch, args: [began] } }'
    await cli.file(
      'repo/plan.yaml',
      `goal: g\nbudget: { maxCost: 0.5 }\nsteps: [${first}, { key: a, kind: agent, dependsOn: first }]\n`,
    )
    const { planId } = await cli.json(['plan', 'new', '--steps', 'plan.yaml'])
    await cli.agentm(['worker', '--once'])
    const { out } = await cli.agentm(['status', String(planId)])
    expect(out).toContain('the plan has a cost limit and the config has no price for the model scripted')
    expect(server.requests).toEqual([])
    await expect(cli.read('repo/began')).rejects.toThrow('ENOENT')
  })

  it('holds: what is asked costs what the prices say, and no reply is asked for that the money left may not cover', async () => {
    let looks = 0
    const { cli, server } = await world(() => ({
      calls: [['files_list', { path: `${++looks}` }]],
      usage: [100_000, 10_000],
    }))
    await cli.agentm(['config', 'set', 'models.prices', prices])
    await cli.file('repo/plan.yaml', 'goal: g\nbudget: { maxCost: 0.95 }\nsteps: [{ key: a, kind: agent }]\n')
    const { planId } = await cli.json(['plan', 'new', '--steps', 'plan.yaml'])
    expect((await cli.agentm(['run', String(planId)])).code).toBe(1)
    const { out } = await cli.agentm(['trace', String(planId)])
    // Each reply costs .3 + .15 dollars: two fit into 95 cents, and a third, with 4096 tokens at most, might not.
    expect(server.requests).toHaveLength(2)
    expect(out).toContain('max_cost')
  })
})

it.each([
  ['cheap', 'is not dollars per million tokens'],
  ['{"input": 3000000, "output": 15}', 'dollars per million tokens'],
  ['{"scripted": {"input": 3}}', 'scripted: "output" is absent'],
  ['{"scripted": {"input": 3, "output": 15, "cached_input": 1}}', 'cached_input'],
])('config set takes no prices that would be refused later: %s', async (value, says) => {
  const { cli } = await world()
  const { code, err } = await cli.agentm(['config', 'set', 'models.prices', value])
  expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(says) })
  expect((await cli.agentm(['config', 'get', 'models.prices'])).code).toBe(1)
})
