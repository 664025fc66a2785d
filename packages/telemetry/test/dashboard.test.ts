import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { metricTable, prometheusName } from '@agentm/telemetry/metrics'

const dashboard = readFileSync(new URL('../../../docs/grafana/agentm.json', import.meta.url), 'utf8')

/** The names of the time series of a metric. */
function seriesOf(row: (typeof metricTable)[keyof typeof metricTable]): readonly string[] {
  const name = prometheusName(row)
  return row.kind === 'histogram' ? ['bucket', 'sum', 'count'].map((part) => `${name}_${part}`) : [name]
}

const expressions = [...dashboard.matchAll(/"expr": "((?:[^"\\]|\\.)*)"/g)].map(([, expression = '']) => expression)
/** Whatever stands before a selector, a range or the end of a call; labels stand inside of braces and parentheses of `by`. */
const used = new Set(
  expressions.flatMap((expression) =>
    expression
      .replaceAll(/\{[^}]*\}/g, '')
      .replaceAll(/\bby \([^)]*\)/g, '')
      .match(/\b(?:agentm|gen_ai)_\w+/g),
  ),
)

it('uses only metrics that are exported', () => {
  const exported = Object.values(metricTable).flatMap(seriesOf)
  expect(expressions.length).toBeGreaterThan(15)
  expect([...used].filter((name) => name === null || !exported.includes(name))).toEqual([])
})

it('shows every metric that is exported', () => {
  const hidden = Object.values(metricTable).filter((row) => !seriesOf(row).some((name) => used.has(name)))
  expect(hidden.map(({ name }) => name)).toEqual([])
})
