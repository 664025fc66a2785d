/** Two plans side by side as text: the totals, the inputs that differ, and a line for each step with what differs below it. */
import type { Harness } from '@agentm/harness'
import { durationText } from './duration-text.ts'
import { shortId } from './short-id.ts'
import { oneLine } from './state-text.ts'

/** Two plans side by side, as the harness gives them. */
export type Comparison = Awaited<ReturnType<Harness['compare']>>
type ComparedStep = Comparison['steps'][number]
type ComparedRun = NonNullable<ComparedStep['a']>
type ComparedPlan = Comparison['a']
type Difference = Comparison['input'][number]

const relations: Readonly<Record<Comparison['relation'], string | undefined>> = {
  fork: undefined,
  follows: undefined,
  siblings: 'Both come from one plan.',
  schedule: 'Both were started by one schedule.',
  same: 'This is one plan, compared with itself.',
  unrelated: 'These plans are not related. Steps with the same key or title are compared.',
}

export function comparisonText(
  { relation, a, b, input, steps }: Comparison,
  { all }: { readonly all: boolean },
): string {
  const [one, other] = [shortId(a.planId), shortId(b.planId)]
  const wide = Math.max(one.length, other.length)
  const said = relations[relation]
  const shown = steps.filter((step) => all || step.a === undefined || step.b === undefined || step.differs.length > 0)
  const rows = [['step', one, other], ...steps.map((step) => [oneLine(step.key), runText(step.a), runText(step.b)])]
  const widths = [0, 1].map((at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)))
  const lines = new Map(steps.map((step, i) => [step, rowText(rows[i + 1] ?? [], widths)]))
  const alike = steps.length - shown.length
  return [
    planText(a, wide),
    planText(b, wide),
    ...(said === undefined ? [] : [said]),
    ...differenceLines('input', input, '  '),
    '',
    rowText(rows[0] ?? [], widths),
    ...shown.flatMap((step) => [lines.get(step) ?? '', ...stepLines(step)]),
    ...(alike === 0
      ? []
      : [
          `  ${alike === 1 ? '1 step differs' : `${alike} steps differ`} in nothing but time and cost${all ? '' : '. To show all: --all'}`,
        ]),
  ].join('\n')
}

function planText(
  { planId, status, steps, carried, durationMs, forkedFrom, goal, ...used }: ComparedPlan,
  wide: number,
): string {
  const total = Object.values(steps).reduce((sum, count) => sum + count, 0)
  const facts = [
    status,
    `${steps['done'] ?? 0} of ${total} done${carried === 0 ? '' : ` (${carried} carried over)`}`,
    durationText(durationMs),
    ...costs(used),
    ...(forkedFrom === undefined ? [] : [`forked from ${shortId(forkedFrom)}`]),
  ]
  return `${shortId(planId).padEnd(wide)}  ${facts.join(', ')}  ${oneLine(goal)}`
}

function costs({
  attempts,
  toolCalls,
  tokens,
  costMicros,
}: Pick<ComparedPlan, 'attempts' | 'toolCalls' | 'tokens' | 'costMicros'>): readonly string[] {
  return [
    ...(attempts > 1 ? [`${attempts} attempts`] : []),
    ...(toolCalls === 0 ? [] : [toolCalls === 1 ? '1 tool call' : `${toolCalls} tool calls`]),
    ...(tokens === 0 ? [] : [`${tokens.toLocaleString('en')} tokens`]),
    ...(costMicros === 0 ? [] : [`$${(costMicros / 1e6).toFixed(4)}`]),
  ]
}

function runText(run: ComparedRun | undefined): string {
  if (run === undefined) return '-'
  if (run.carriedFrom !== undefined) return `${run.status}, carried over`
  const { status, durationMs, attempts } = run
  return [status, ...(attempts === 0 ? [] : [durationText(durationMs)]), ...costs(run)].join(', ')
}

function rowText(row: readonly string[], widths: readonly number[]): string {
  return `  ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ')}`.trimEnd()
}

function stepLines({ a, b, input, output }: ComparedStep): readonly string[] {
  const errors = [a, b].flatMap((run) =>
    run?.errorMessage === undefined ? [] : [`      ${oneLine(run.errorMessage)}`],
  )
  return [...differenceLines('input', input, '      '), ...differenceLines('output', output, '      '), ...errors]
}

function differenceLines(of: string, differences: readonly Difference[], indent: string): readonly string[] {
  return differences.map(({ path, a, b }) => {
    const place = path === '' ? of : path.startsWith('…') ? path : `${of}${path.startsWith('[') ? '' : '.'}${path}`
    if (a === undefined && b === undefined) return `${indent}${oneLine(place)}`
    return `${indent}${oneLine(place)}: ${oneLine(a ?? '(absent)')} → ${oneLine(b ?? '(absent)')}`
  })
}
