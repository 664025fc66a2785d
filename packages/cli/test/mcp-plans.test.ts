/** Plans over MCP: the SDK's client, the server's own process, and a worker that runs the steps. */
import path from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { expect, it, onTestFinished } from 'vitest'
import { PlanWorld } from './plan-world.ts'

const patience = { timeout: 120_000 }
const agentm = path.join(import.meta.dirname, '../bin/agentm.mjs')

async function setup(mode?: 'read' | 'write') {
  const plans = await PlanWorld.make()
  const { cli } = plans
  if (mode !== undefined) await cli.agentm(['config', 'set', 'mcp.plans', mode])
  const client = new Client({ name: 'claude code', version: '1' })
  const { PATH = '' } = process.env
  const env = { PATH, HOME: cli.home, XDG_CACHE_HOME: path.join(cli.home, '.cache') }
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [agentm, 'mcp'], cwd: cli.repo, env }),
  )
  onTestFinished(() => client.close())
  const call = async (name: string, args: Readonly<Record<string, unknown>> = {}) => {
    const { isError, content } = await client.callTool({ name, arguments: args })
    const [{ text }] = content as [{ text: string }]
    return isError === true ? (JSON.parse(text) as { code: string; message: string }) : text
  }
  const said = async (name: string, args: Readonly<Record<string, unknown>> = {}) => {
    const text = await call(name, args)
    if (typeof text !== 'string') throw new Error(`${text.code}: ${text.message}`)
    return text
  }
  return { plans, cli, client, call, said }
}

/** Looks in until the plan says it. Each look waits in the server. */
async function until(
  said: (name: string, args: Readonly<Record<string, unknown>>) => Promise<string>,
  plan: string,
  text: string,
) {
  for (;;) {
    const look = await said('plan_status', { plan, waitSeconds: 5 })
    if (look.includes(text)) return look
  }
}

const names = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name)
const file = (end: string) => `goal: release
inputs: { tag: v1 }
steps:
  - { key: build, kind: command, input: { command: echo, args: ["\${{ inputs.tag }}"] } }
  - { key: name, ask: "Which name for \${{ steps.build.output }}?", mayAnswer: anyone }
  - { key: ok, kind: approval, dependsOn: name, title: Ship it? }
${end}`

it('offers no plan tools unless the user allowed them, and then few and small ones', patience, async () => {
  const { cli, client, call } = await setup()
  expect(await names(client)).toHaveLength(5)
  await expect(call('plan_start', { goal: 'x' })).rejects.toThrow('there is no tool "plan_start"')
  const sizes = async (mode: 'read' | 'write') => {
    await cli.agentm(['config', 'set', 'mcp.plans', mode])
    const other = await setup(mode)
    const { tools } = await other.client.listTools()
    const added = tools.slice(5)
    return { names: added.map(({ name }) => name), bytes: Buffer.byteLength(JSON.stringify(added)) }
  }
  const [read, write] = [await sizes('read'), await sizes('write')]
  expect([read.names, write.names]).toEqual([['plan_status'], ['plan_status', 'plan_start', 'plan_change']])
  console.log(`plan tools: ${read.bytes} bytes to read, ${write.bytes} bytes to write`)
  expect([read.bytes <= 700, write.bytes <= 2500]).toEqual([true, true])
})

it(
  'starts a plan that a worker runs, answers what an agent may answer, and leaves the rest to the user',
  patience,
  async () => {
    const { plans, cli, call, said } = await setup('write')
    const started = await said('plan_start', {
      file: file(
        '  - { key: end, kind: command, dependsOn: ok, input: { command: sh, args: [-c, "echo end >> told"] } }\n',
      ),
      inputs: { tag: 'v2' },
    })
    const [, plan = ''] = /^Started (\S+), 4 steps\./.exec(started) ?? []
    expect(started).toContain('No worker runs it yet. Ask the user to start one: agentm worker')
    expect(await said('plan_status')).toContain(`${plan} open · 0/4 done · release`)
    cli.start(['worker'])
    expect(await until(said, plan, 'Which name for v2?')).toMatch(/· answer it with plan_change \w{8}/)
    expect(await said('plan_change', { plan, do: 'answer', answer: 'Ada' })).toBe('Answered "Ada".')
    const asks = await until(said, plan, 'Ship it?')
    expect(asks).toMatch(/\? \w{8} Ship it\? \(approve \| deny\) · only the user may answer: agentm approve \w{8}/)
    expect(await call('plan_change', { plan, do: 'answer', answer: 'approve' })).toMatchObject({
      code: 'ANSWER_NEEDS_PERSON',
      message: expect.stringContaining('Nothing was changed'),
    })
    expect(plans.told()).toEqual([])
    await cli.json(['approve', `${plan}/ok`])
    expect(await until(said, plan, ' done · 4/4 done')).toMatch(
      /done build: v2\n.*done name: Ada\n.*done Ship it\?: approve\n/,
    )
    expect(plans.told()).toEqual(['end'])
    // The log tells who answered.
    const named = JSON.stringify(await cli.json(['status', `${plan}/name`]))
    expect(named).toContain('"actor":"agent:claude-code"')
    expect(named).toContain('"by":"agent"')
  },
)

it('pauses and resumes its own way, and leaves a pause of the user alone', patience, async () => {
  const { cli, call, said } = await setup('write')
  const [, plan = ''] = /^Started (\S+),/.exec(await said('plan_start', { file: file('') })) ?? []
  expect(await said('plan_change', { plan, do: 'pause', reason: 'wait for the review' })).toContain(`Paused ${plan}`)
  expect(await said('plan_change', { plan, do: 'resume' })).toBe(`Resumed ${plan}.`)
  await cli.agentm(['pause', plan])
  expect(await said('plan_change', { plan, do: 'pause' })).toBe(`${plan} was paused before.`)
  expect(await call('plan_change', { plan, do: 'resume' })).toMatchObject({
    code: 'PERSON_NEEDED',
    message: `a person paused ${plan}, so a person resumes it. Ask the user to run: agentm resume ${plan}`,
  })
  expect(await said('plan_status', { plan })).toContain(`${plan} paused`)
  expect(await said('plan_change', { plan, do: 'cancel' })).toBe(`${plan} is cancelled.`)
})

it('takes a goal, whose work the agent itself may do where no model is configured', patience, async () => {
  const { cli, said } = await setup('write')
  const started = await said('plan_start', { goal: 'write the notes' })
  const [, plan = ''] = /^Started (\S+), 1 step\./.exec(started) ?? []
  expect(await said('plan_start', { goal: 'write the notes' })).toContain('has an open plan already')
  cli.start(['worker'])
  await until(said, plan, 'answer it with plan_change')
  await said('plan_change', { plan, do: 'answer', answer: 'notes.md is written' })
  expect(await until(said, plan, '1/1 done')).toContain('notes.md is written')
})

it(
  'refuses a wrong plan with its lines, and a cost limit without a price, before anything is written',
  patience,
  async () => {
    const { call, said } = await setup('write')
    expect(
      await call('plan_start', { file: file('').replace('steps.build.output', 'steps.biuld.output') }),
    ).toMatchObject({
      code: 'PLAN_FILE',
      message: expect.stringContaining('plan:5:23 step "name": ask: this plan has no step "biuld"'),
    })
    expect(await call('plan_start', {})).toMatchObject({ code: 'INVALID_INPUT' })
    const priced = await setup('write')
    await priced.cli.agentm(['config', 'set', 'models.url', 'http://127.0.0.1:9/v1'])
    await priced.cli.agentm(['config', 'set', 'models.model', 'small'])
    for (const args of [{ goal: 'g' }, { file: 'goal: g\nsteps: [{ key: a }]\n' }])
      expect(await priced.call('plan_start', { ...args, maxCost: 1 })).toMatchObject({ code: 'MODEL_UNPRICED' })
    expect([await said('plan_status'), await priced.said('plan_status')]).toEqual([
      'There are no plans.',
      'There are no plans.',
    ])
  },
)
