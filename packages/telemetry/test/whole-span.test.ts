/** Spans that are exported past the tracer: they are what the tracer would have made of them. */
import { trace } from '@opentelemetry/api'
import { resourceFromAttributes } from '@opentelemetry/resources'
import type { ReadableSpan } from '@opentelemetry/sdk-trace'
import { afterEach, expect, it } from 'vitest'
import { reportSpan } from '../src/new-span.ts'
import { planIds } from '../src/planned-ids.ts'
import { ExportedSpan, type WholeSpan } from '../src/whole-span.ts'
import { keepSpans, type Kept } from './spans.ts'

let kept: Kept | undefined
afterEach(() => kept?.close())

const place = (end: string) => ({ traceId: '1'.repeat(32), spanId: `000000000000000${end}` })
const common = { resource: resourceFromAttributes({}), instrumentationScope: { name: 'test' } }
const plain: WholeSpan = {
  name: 'step work',
  from: 1_795_162_825_001,
  until: 1_795_162_826_002,
  attributes: { 'agentm.plan.id': 'p', 'agentm.step.attempt': 2 },
  place: place('a'),
}

/** What an exporter reads of it, apart from what all spans of a process have in common. */
function shown(span: ReadableSpan | undefined) {
  const { name, kind, parentSpanContext, startTime, endTime, duration, status, attributes, events } = span ?? {}
  const links = span?.links.map(({ context }) => context)
  const times = { startTime, endTime, duration }
  return { name, kind, context: span?.spanContext(), parentSpanContext, ...times, status, attributes, events, links }
}

/** Made by the tracer of the SDK. */
function traced(span: WholeSpan): ReadableSpan | undefined {
  kept = keepSpans()
  planIds.isInUse = true
  const signals = { tracer: trace.getTracer('test'), ids: planIds, exportWhole: undefined }
  reportSpan(signals, span)
  return kept.spans[0]
}

it.each<readonly [string, WholeSpan]>([
  ['that begins its trace', plain],
  ['with a parent and links', { ...plain, parent: place('b'), links: [place('c')] }],
  ['with an error', { ...plain, error: { type: 'BUSY', message: `it said ghp_${'a1B2c3D4e5F6'.repeat(3)}` } }],
  ['with an error that says nothing', { ...plain, error: { type: 'BUSY', message: undefined } }],
  ['of no length', { ...plain, until: plain.from }],
  ['that ends before it begins', { ...plain, until: plain.from - 5 }],
])('a span %s is the one that the tracer makes', (_, span) => {
  expect(shown(new ExportedSpan(span, common))).toEqual(shown(traced(span)))
})

it('shortens texts if there is a limit', () => {
  const { attributes } = new ExportedSpan(plain, { ...common, longestText: 3 })
  expect(attributes).toEqual({ 'agentm.plan.id': 'p', 'agentm.step.attempt': 2 })
  const long = new ExportedSpan({ ...plain, attributes: { text: 'longer' } }, { ...common, longestText: 3 })
  expect(long.attributes).toEqual({ text: 'lon' })
})
