/** Spans of a durable function, as a collector receives them: its worker is killed inside of a step, and another one takes over. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import { CliWorld } from './cli-world.ts'
import { installPlugin } from './install-plugin.ts'
import { type Received, startReceiver } from './otlp-receiver.ts'

/** The first process that pays never comes back from it. */
const source = `import { existsSync, writeFileSync } from 'node:fs'
import { durable } from '@agentm/harness'
import { z } from 'zod'
const anything = { input: z.object({}).loose() }
const receipt = durable('receipt', anything, async (run) => run.step('print', () => 'printed'))
const trip = durable('trip', { input: z.object({ stuck: z.string() }) }, async (run, { stuck }) => {
  await run.step('book', () => 'RESULTTEXT')
  await run.sleep(300)
  await run.step('pay', async () => {
    if (existsSync(stuck)) return 'paid'
    writeFileSync(stuck, '')
    await new Promise((resolve) => setTimeout(resolve, 600_000))
  }, { nature: 'effectful', onUnknown: 'retry' })
  return run.call(receipt, {})
})
export const plugin = { contract: 1, open: async () => [trip, receipt] }
`

it('reports each step of a function once, over a killed worker and its successor, in one trace', async () => {
  const [cli, receiver] = [await CliWorld.forThisTest(), await startReceiver()]
  onTestFinished(() => receiver.close())
  const kinds = ['function:trip', 'function:receipt']
  await installPlugin(cli.home, 'agentm-step-trip', { source, agentm: { steps: './index.js', kinds } })
  await cli.agentm(['config', 'set', 'harness.kinds', kinds.join(',')])
  Object.assign(cli.variables, {
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_BSP_SCHEDULE_DELAY: '50',
  })
  const stuck = path.join(cli.home, 'stuck')
  const step = { key: 'run', title: 'TITLETEXT', kind: 'function:trip', input: { stuck } }
  await cli.file('repo/trip.json', JSON.stringify({ goal: 'GOALTEXT', steps: [step] }))
  await cli.agentm(['plan', 'new', '--steps', 'trip.json', '--id', 'trip-1'])

  const doomed = cli.start(['worker'])
  await vi.waitUntil(() => existsSync(stuck), { timeout: 30_000, interval: 20 })
  // What it has reported so far leaves the process.
  await sleep(1000)
  await doomed.kill('SIGKILL')
  expect(await cli.json(['run', 'trip-1'])).toMatchObject({ status: 'done' })

  const spans = receiver.spans()
  const named = (name: string) => spans.filter((span) => span.name === name)
  const [called] = named('run.call receipt')
  const own = spans.filter(({ traceId }) => traceId === called?.traceId)
  expect(tally(own, 'attempt function:trip')).toEqual({
    plan: 1,
    'step function:trip': 1,
    'run.step book': 1,
    'run.sleep': 1,
    'run.step pay': 1,
    'attempt pay': 2,
    'run.call receipt': 1,
  })
  expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length)
  const byId = new Map(spans.map((span) => [span.spanId, span]))
  const parentOf = (span: Received | undefined) => byId.get(span?.parentSpanId ?? '')?.name
  for (const name of ['run.step book', 'run.sleep', 'run.step pay', 'run.call receipt'])
    expect(parentOf(named(name)[0])).toBe('step function:trip')
  expect(named('attempt pay').map(parentOf)).toEqual(['run.step pay', 'run.step pay'])
  const ends = named('attempt pay').map(({ attributes }) => String(attributes['agentm.function.ended']))
  expect(ends.toSorted()).toEqual(['done', 'lost'])
  for (const span of spans) {
    expect(span.end >= span.start).toBe(true)
    expect(span.kind).toBe(1)
  }

  // The other function has a trace of its own, and the call is linked to it.
  const child = named('plan').find(({ traceId }) => traceId !== called?.traceId)
  expect(called?.attributes['agentm.child.plan.id']).toBe(child?.attributes['agentm.plan.id'])
  expect(called?.links).toEqual([{ traceId: child?.traceId, spanId: child?.spanId }])
  expect(child?.links.map(({ traceId }) => traceId)).toEqual([called?.traceId])
  for (const text of ['GOALTEXT', 'TITLETEXT', 'RESULTTEXT'])
    for (const body of receiver.bodies) expect(body.includes(text)).toBe(false)
})

/** `without`: how often a run was passed through depends on the machine. */
function tally(spans: readonly Received[], without: string): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { name } of spans) if (name !== without) counts[name] = (counts[name] ?? 0) + 1
  return counts
}
