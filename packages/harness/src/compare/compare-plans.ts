import { asPlan, type HarnessContext, type PlanHead } from '../harness-context.ts'
import type { ComparedStep, Comparison, PlanRelation } from './comparison.ts'
import { alignSteps, type Pair } from './pure/align-steps.ts'
import { diffValues } from './pure/diff-values.ts'
import { type Lineage, relationOf } from './pure/relation-of.ts'
import { readRun, type ReadRun, type RunStep } from './read-run.ts'

/** Two plans side by side. Plans that do not belong together are compared, too, and `relation` says so. */
export async function comparePlans(context: HarnessContext, planA: string, planB: string): Promise<Comparison> {
  const now = await context.store.work.now()
  const [a, b] = [await readRun(context, planA, now), await readRun(context, planB, now)]
  const relation: PlanRelation = relationOf(await lineageOf(context, a), await lineageOf(context, b))
  const pairs = alignSteps(a.steps, b.steps, { areRelated: relation !== 'unrelated' })
  return {
    relation,
    a: a.plan,
    b: b.plan,
    input: diffValues(a.head.payload.input, b.head.payload.input),
    steps: pairs.map(comparedStep),
  }
}

function comparedStep({ a, b, by }: Pair<RunStep>): ComparedStep {
  const input = a && b ? diffValues(a.input, b.input) : []
  const output = a && b ? diffValues(a.output, b.output) : []
  const differs = [
    ...(a && b && a.run.status !== b.run.status ? (['status'] as const) : []),
    ...(input.length > 0 ? (['input'] as const) : []),
    ...(output.length > 0 ? (['output'] as const) : []),
  ]
  return {
    key: a?.key ?? b?.key ?? '',
    title: a?.title ?? b?.title ?? '',
    ...(by && { matchedBy: by }),
    ...(a && { a: a.run }),
    ...(b && { b: b.run }),
    differs,
    input,
    output,
  }
}

const longestLine = 100

/** The plan, the one it was forked from or follows, the one before that, and so on. */
async function lineageOf({ store, owner }: HarnessContext, { head }: ReadRun): Promise<Lineage> {
  const line: { id: string; by: 'fork' | 'follows' }[] = []
  let plan: PlanHead | undefined = head
  while (plan !== undefined && line.length < longestLine) {
    const earlier = earlierOf(plan)
    if (earlier === undefined || line.some(({ id }) => id === earlier.id)) break
    line.push(earlier)
    const next = await store.log.latest(earlier.id, { owner })
    plan = next === undefined ? undefined : asPlan(next)
  }
  const { scheduleId } = head.payload
  return { id: head.id, before: line, ...(scheduleId !== undefined && { scheduleId }) }
}

/** A plan of what was left of another one names that one in its input. */
function earlierOf({ payload }: PlanHead): Lineage['before'][number] | undefined {
  const { forkedFrom, follows, input } = payload
  if (forkedFrom !== undefined) return { id: forkedFrom, by: 'fork' }
  const earlier = follows ?? input?.['continues']
  return typeof earlier === 'string' ? { id: earlier, by: 'follows' } : undefined
}
