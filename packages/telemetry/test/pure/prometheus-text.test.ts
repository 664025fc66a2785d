import { expect, it } from 'vitest'
import { prometheusName, prometheusText } from '../../src/pure/prometheus-text.ts'

it('names metrics as a collector does', () => {
  expect(prometheusName({ name: 'agentm.step.duration', unit: 's', kind: 'histogram' })).toBe(
    'agentm_step_duration_seconds',
  )
  expect(prometheusName({ name: 'agentm.step.claims', unit: '{claim}', kind: 'counter' })).toBe(
    'agentm_step_claims_total',
  )
  expect(prometheusName({ name: 'agentm.queue.depth', unit: '{step}', kind: 'gauge' })).toBe('agentm_queue_depth')
})

it('adds up the buckets of a histogram', () => {
  const value = { count: 6, sum: 7.5, limits: [1, 5], counts: [3, 2, 1] }
  const points = [{ labels: { 'gen_ai.tool.name': 'shell' }, value }]
  expect(prometheusText([{ name: 'a.b', unit: 's', description: 'How long', type: 'histogram', points }])).toBe(
    [
      '# HELP a_b_seconds How long',
      '# TYPE a_b_seconds histogram',
      'a_b_seconds_bucket{gen_ai_tool_name="shell",le="1"} 3',
      'a_b_seconds_bucket{gen_ai_tool_name="shell",le="5"} 5',
      'a_b_seconds_bucket{gen_ai_tool_name="shell",le="+Inf"} 6',
      'a_b_seconds_sum{gen_ai_tool_name="shell"} 7.5',
      'a_b_seconds_count{gen_ai_tool_name="shell"} 6',
      '',
    ].join('\n'),
  )
})

it('lets no label end its line or its quotes', () => {
  const points = [{ labels: { a: 'x"} 1\nevil 2\\' }, value: 1 }]
  expect(prometheusText([{ name: 'm', unit: '', description: 'a\nb', type: 'gauge', points }])).toBe(
    '# HELP m a\\nb\n# TYPE m gauge\nm{a="x\\"} 1\\nevil 2\\\\"} 1\n',
  )
})
