import type { Node } from '@agentm/nodes'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assembleTrace, renderTrace, traceMetrics } from '../../src/index.ts'
import { dispatchOrder } from '../../src/trace/pure/assemble-trace.ts'

const at = Date.parse('2026-03-01T10:00:00Z')

function node(seq: number, kind: string, fields: Partial<Node> & { readonly payload: Node['payload'] }): Node {
  return {
    id: `v1:harness:${kind}:x`,
    concept: `v1:harness:${kind}`,
    version: 1,
    seq,
    owner: 'ann',
    partition: '_global',
    createdBy: 'worker',
    createdAt: at,
    provenanceMutation: 'm',
    status: undefined,
    redacted: false,
    ...fields,
  }
}

function stepAt(seq: number, status: string, id = 'v1:harness:step:x'): Node {
  return node(seq, 'step', { id, payload: { status, title: 'T' } })
}

describe('a trace', () => {
  it('is ordered by sequence, also when all clocks agree or run backwards', () => {
    const versions = [stepAt(4, 'done'), stepAt(3, 'running'), { ...stepAt(2, 'ready'), createdAt: at + 9 }]
    const { events, steps } = assembleTrace('p', versions)
    expect(events.map(({ status }) => status)).toEqual(['ready', 'running', 'done'])
    expect(steps[0]).toMatchObject({ finalStatus: 'done', transitions: ['ready', 'running', 'done'] })
  })

  it('takes whatever a payload holds, and never fails', () => {
    const kinds = fc.constantFrom('plan', 'step', 'observation', 'belief')
    const payload = fc.dictionary(
      fc.constantFrom('status', 'title', 'goal', 'content', 'kind', 'data', 'stepId'),
      fc.jsonValue(),
    )
    fc.assert(
      fc.property(fc.array(fc.tuple(kinds, payload)), (nodes) => {
        const trace = assembleTrace(
          'p',
          nodes.map(([kind, held], i) => node(i, kind, { payload: held })),
        )
        const lines = renderTrace(trace).split('\n')
        expect(lines).toHaveLength(trace.events.length + 6 + (trace.goal === '' ? 0 : 1))
        expect(traceMetrics(trace).tokens).toBeGreaterThanOrEqual(0)
      }),
    )
  })

  it('knows a step by an observation alone, and makes none of the plan itself', () => {
    const seen = { stepId: 's', kind: 'note', content: 'c' }
    const halted = { stepId: 'p', kind: 'decision', content: 'halted' }
    const { steps } = assembleTrace('p', [
      node(1, 'observation', { payload: seen }),
      node(2, 'observation', { payload: halted }),
      node(3, 'observation', { payload: { stepId: '', kind: 'note' } }),
    ])
    expect(steps).toEqual([{ id: 's', title: '', finalStatus: '', transitions: [], observations: 1 }])
  })

  it('names its steps by when they first ran', () => {
    const trace = assembleTrace('p', [
      stepAt(1, 'ready', 'a'),
      stepAt(2, 'ready', 'b'),
      stepAt(3, 'running', 'b'),
      stepAt(4, 'running', 'a'),
      stepAt(5, 'failed', 'b'),
      stepAt(6, 'running', 'b'),
    ])
    expect(dispatchOrder(trace)).toEqual(['b', 'a'])
  })

  it.each([
    ['open', false],
    ['running', false],
    ['done', true],
    ['failed', true],
    ['cancelled', true],
    ['', false],
  ])('of a plan that is %j is complete: %s', (status, complete) => {
    expect(assembleTrace('p', [node(1, 'plan', { payload: { status, goal: 'g' } })]).complete).toBe(complete)
  })
})

describe('as text', () => {
  it('keeps every event on its line, whatever was written', () => {
    const content = 'a\nb\r\tc\u2028d\u001b[31me\u202Ef'
    expect(lineOf({ kind: 'note', content })).toBe(
      String.raw`  2026-03-01T10:00:00Z  [obs]    note     by worker -- a\nb\r\tc\u2028d\u001b[31me\u202ef`,
    )
  })

  it.each([
    ['step', { cause: 'step', message: 'sh ended with 1' }, ' -- sh ended with 1'],
    ['lost step', { cause: 'vanished', message: 'the process is gone' }, ' -- vanished: the process is gone'],
    ['cancelled step', { cause: 'cancelled', message: 'cancelled: enough' }, ' -- cancelled: enough'],
    ['message of many lines', { cause: 'timeout', message: 'a\nb' }, String.raw` -- timeout: a\nb`],
    ['step without a word', undefined, ''],
  ])('says why a %s failed, after its title', (_, failure, told) => {
    const failed = node(1, 'step', { payload: { status: 'failed', title: 'T', ...(failure && { failure }) } })
    expect(renderTrace(assembleTrace('p', [failed]))).toContain(
      `failed   m by worker -- v1:harness:step:x (T)${told}\n`,
    )
    const again = node(2, 'step', { payload: { status: 'ready', title: 'T', ...(failure && { failure }) } })
    expect(renderTrace(assembleTrace('p', [again]))).toContain(`ready    m by worker -- v1:harness:step:x (T)\n`)
  })

  it('says why a plan ended or was held, and not once it goes on', () => {
    const payload = { status: 'running', goal: 'g', paused: true, reason: 'lunch' }
    const lines = renderTrace(
      assembleTrace('p', [
        node(1, 'plan', { payload, provenanceMutation: 'pauseHarnessPlan' }),
        node(2, 'plan', { payload, provenanceMutation: 'extendHarnessPlan' }),
        node(3, 'plan', { payload: { ...payload, status: 'failed', errorMessage: 'a has failed' } }),
      ]),
    )
    expect(lines.split('\n').slice(-4)).toEqual([
      '  2026-03-01T10:00:00Z  [plan]   running  pauseHarnessPlan by worker -- lunch',
      '  2026-03-01T10:00:00Z  [plan]   running  extendHarnessPlan by worker',
      '  2026-03-01T10:00:00Z  [plan]   failed   m by worker -- a has failed',
      '',
    ])
  })

  it('cuts what is over 80 characters, between characters', () => {
    expect(lineOf({ kind: 'note', content: ` ${'💡'.repeat(80)} ` })).toContain(`-- ${'💡'.repeat(80)}`)
    expect(lineOf({ kind: 'note', content: '💡'.repeat(81) })).toMatch(new RegExp(`-- (?:💡){79}…$`, 'u'))
  })

  it('leaves out what is not known', () => {
    expect(lineOf({}, { createdBy: '' })).toBe('  2026-03-01T10:00:00Z  [obs]            ')
    const bare = node(1, 'step', { payload: {}, provenanceMutation: '', createdBy: '' })
    expect(renderTrace(assembleTrace('p', [bare]))).toContain('[step]            (unattributed) -- v1:harness:step:x\n')
  })

  it.each([
    [0, '0ms'],
    [999, '999ms'],
    [1250, '1.2s'],
    [59_999, '59.9s'],
    [185_000, '3m05s'],
    [7_380_000, '2h03m'],
  ])('shows %i ms as %s', (ms, shown) => {
    const later = { ...stepAt(2, 'done'), createdAt: at + ms }
    expect(renderTrace(assembleTrace('p', [stepAt(1, 'pending'), later]))).toContain(` wall=${shown} `)
  })
})

function lineOf(payload: Node['payload'], fields: Partial<Node> = {}): string | undefined {
  return renderTrace(assembleTrace('p', [node(1, 'observation', { payload, ...fields })]))
    .split('\n')
    .at(-2)
}
