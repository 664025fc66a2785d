/** Spans of a real plan, as a collector receives them: its worker is killed, and another one takes over. */
import { expect, it, onTestFinished, vi } from 'vitest'
import { startScriptedServer } from '../../../tools/scripted-model.mjs'
import { CliWorld } from './cli-world.ts'
import { type Received, type Receiver, startReceiver } from './otlp-receiver.ts'

/** What nobody asked to export, one word for each place that a text can come from. */
const texts = ['GOALTEXT', 'TITLETEXT', 'INPUTTEXT', 'REPLYTEXT', 'ARGTEXT', 'TOOLTEXT', 'FAILTEXT', 'sk-SECRETKEY']

const planFile = {
  goal: 'GOALTEXT',
  steps: [
    { key: 'first', title: 'TITLETEXT first', kind: 'agent', input: { goal: 'INPUTTEXT first' } },
    {
      key: 'beta',
      title: 'TITLETEXT beta',
      kind: 'agent',
      input: { goal: 'INPUTTEXT BETASTEP' },
      dependsOn: ['first'],
    },
    {
      key: 'third',
      title: 'TITLETEXT third',
      kind: 'command',
      input: { command: 'sh', args: ['-c', 'echo TOOLTEXT; echo FAILTEXT >&2; exit 3'] },
      dependsOn: ['beta'],
      retry: { maxFailures: 1 },
    },
  ],
}

interface World {
  readonly cli: CliWorld
  readonly receiver: Receiver
  /** Resolves when the second step has asked the model for the second time. */
  readonly isStuck: () => boolean
}

async function world(variables: Readonly<Record<string, string>>): Promise<World> {
  const [cli, receiver] = [await CliWorld.forThisTest(), await startReceiver()]
  onTestFinished(() => receiver.close())
  let stuck = 0
  const model = await startScriptedServer((body) => {
    const text = JSON.stringify(body.messages)
    const isSecond = text.includes('BETASTEP')
    if (body.messages.at(-1)?.role !== 'tool')
      return {
        text: 'REPLYTEXT',
        calls: [['shell', { program: 'sh', args: ['-c', 'echo TOOLTEXT # ARGTEXT'] }]],
        usage: [120, 7],
      }
    // The worker is killed while it waits for this one.
    if (isSecond && ++stuck === 1) return { text: 'REPLYTEXT', delayMs: 600_000 }
    return { text: 'REPLYTEXT', usage: [200, 9] }
  })
  onTestFinished(() => model.close())
  await cli.file(
    '.claude/.agentm-config.json',
    JSON.stringify({
      'models.url': model.url,
      'models.model': 'scripted',
      'models.prices': { scripted: { input: 1, output: 10 } },
      'harness.kinds': ['agent', 'command'],
      'tools.shell.allow': ['sh'],
    }),
  )
  Object.assign(cli.variables, {
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_BSP_SCHEDULE_DELAY: '50',
    OTEL_METRIC_EXPORT_INTERVAL: '500',
    ...variables,
  })
  return { cli, receiver, isStuck: () => stuck > 0 }
}

/** Runs the plan, with a kill in the middle. Resolves when the second worker has ended. */
async function runKilled({ cli, isStuck }: World): Promise<{ readonly planId: string; readonly err: string }> {
  await cli.file('repo/plan.json', JSON.stringify(planFile))
  const { planId } = await cli.json(['plan', 'new', '--steps', 'plan.json'])
  expect(planId).toBeDefined()
  const doomed = cli.start(['worker'])
  await vi.waitUntil(isStuck, { timeout: 15_000, interval: 50 })
  // What it has reported so far leaves the process.
  await new Promise((resolve) => setTimeout(resolve, 1000))
  await doomed.kill('SIGKILL')
  const ran = await cli.agentm(['run', String(planId), '--json'])
  expect(JSON.parse(ran.out)).toMatchObject({ status: 'failed' })
  return { planId: String(planId), err: ran.err }
}

it('reports one tree without a double, over a killed worker and its successor, and no text', async () => {
  const opened = await world({ OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' })
  const { planId } = await runKilled(opened)
  const spans = opened.receiver.spans()
  const named = (name: string) => spans.filter((span) => span.name === name)

  expect(tally(spans)).toEqual({
    plan: 1,
    'step agent': 2,
    'step command': 1,
    invoke_agent: 3,
    'attempt command': 1,
    'chat scripted': 4,
    'execute_tool shell': 2,
  })
  // One trace, one span per id, and no parent that is not there.
  expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1)
  expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length)
  const byId = new Map(spans.map((span) => [span.spanId, span]))
  const parentOf = (span: Received) => byId.get(span.parentSpanId)
  const [plan] = named('plan')
  expect(plan?.parentSpanId).toBe('')
  expect(plan?.attributes).toMatchObject({ 'agentm.plan.id': planId, 'agentm.plan.status': 'failed' })
  expect(plan?.status).toBe(2)
  for (const step of [...named('step agent'), ...named('step command')]) expect(parentOf(step)).toBe(plan)
  for (const attempt of named('invoke_agent')) expect(parentOf(attempt)?.name).toBe('step agent')
  for (const call of [...named('chat scripted'), ...named('execute_tool shell')])
    expect(parentOf(call)?.name).toBe('invoke_agent')
  for (const span of spans) {
    expect(span.end >= span.start).toBe(true)
    expect(span.schemaUrl).toBe('https://opentelemetry.io/schemas/1.41.0')
    expect(span.service).toBe('agentm')
  }

  // The attempt of the dead worker was reported by the one that took over, with the calls that the dead one had reported.
  const lost = named('invoke_agent').filter(({ attributes }) => attributes['agentm.step.ended'] === 'lost')
  expect(lost).toHaveLength(1)
  expect(lost[0]?.attributes['error.type']).toMatch(/vanished|lease/)
  const below = spans.filter((span) => parentOf(span) === lost[0]).map(({ name }) => name)
  expect(below.toSorted()).toEqual(['chat scripted', 'execute_tool shell'])

  conventions(named)
  expect(named('attempt command')[0]?.attributes).toMatchObject({ 'agentm.step.ended': 'failed' })
  for (const name of [
    'agentm.step.duration',
    'agentm.step.claims',
    'gen_ai.client.token.usage',
    'agentm.queue.depth',
    'agentm.cost.usd',
  ])
    expect(opened.receiver.metrics()).toContain(name)
  for (const text of texts) for (const body of opened.receiver.bodies) expect(body.includes(text)).toBe(false)
})

it('sends protobuf by default, and no text in it', async () => {
  const opened = await world({})
  await runKilled(opened)
  const { bodies } = opened.receiver
  expect(bodies.some((body) => body.includes('invoke_agent') && body.includes('gen_ai.usage.input_tokens'))).toBe(true)
  for (const text of texts) for (const body of bodies) expect(body.includes(text)).toBe(false)
})

it('sends texts if it is asked to, with secrets masked', async () => {
  const opened = await world({
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'true',
  })
  await runKilled(opened)
  const spans = opened.receiver.spans()
  const chat = spans.find(({ name }) => name === 'chat scripted')
  expect(chat?.attributes['gen_ai.input.messages']).toContain('INPUTTEXT')
  expect(chat?.attributes['gen_ai.output.messages']).toContain('REPLYTEXT')
  const tool = spans.find(({ name }) => name === 'execute_tool shell')
  expect(tool?.attributes['gen_ai.tool.call.arguments']).toContain('ARGTEXT')
  expect(tool?.attributes['gen_ai.tool.call.result']).toContain('TOOLTEXT')
  expect(spans.find(({ name }) => name === 'plan')?.attributes['agentm.plan.goal']).toBe('GOALTEXT')
})

it('goes on without a collector', async () => {
  const opened = await world({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', OTEL_EXPORTER_OTLP_TIMEOUT: '500' })
  const { err } = await runKilled(opened)
  expect(opened.receiver.bodies).toEqual([])
  expect(err.match(/could not be sent/g)).toHaveLength(1)
})

/** Version 1.41.0 of the semantic conventions. */
function conventions(named: (name: string) => readonly Received[]): void {
  const [internal, client] = [1, 3]
  for (const { kind, attributes } of named('chat scripted')) {
    expect(kind).toBe(client)
    expect(attributes).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'scripted',
      'server.address': '127.0.0.1',
    })
    expect(attributes['server.port']).toBeGreaterThan(0)
    expect([120, 200]).toContain(attributes['gen_ai.usage.input_tokens'])
    expect([7, 9]).toContain(attributes['gen_ai.usage.output_tokens'])
  }
  for (const { kind, attributes } of named('execute_tool shell')) {
    expect(kind).toBe(internal)
    expect(attributes).toMatchObject({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'shell',
      'gen_ai.tool.type': 'function',
    })
  }
  for (const { kind, attributes } of named('invoke_agent')) {
    expect(kind).toBe(internal)
    expect(attributes['gen_ai.operation.name']).toBe('invoke_agent')
    expect(attributes['gen_ai.provider.name']).toBe('openai')
  }
}

function tally(spans: readonly Received[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { name } of spans) counts[name] = (counts[name] ?? 0) + 1
  return counts
}
