/** A plan as the page shows it. Secrets are stored as they were given, but not shown. */
import { type Node, redactValue } from '@agentm/nodes'
import type { PlanFacts, PlanRow } from '../../contract/plans.ts'
import { fieldsOf, numberIn, textIn, timeIn } from '../../pure/fields.ts'
import { shownText, shownValue } from '../../pure/shown-value.ts'
import { short } from '../../pure/short.ts'

export function planFacts(head: Node, createdAt: number): PlanFacts {
  const payload = redactValue(head.payload)
  const { id, status, project, paused, goal } = base(head)
  const parentPlanId = textIn(payload, 'parentPlanId')
  const parentStepId = textIn(payload, 'parentStepId')
  const follows = textIn(payload, 'follows')
  const forkedFrom = textIn(payload, 'forkedFrom')
  const carried = numberIn(payload, 'carried')
  const halting = textIn(fieldsOf(payload['halting']), 'limit')
  const budget = fieldsOf(payload['budget'])
  const limits = Object.keys(budget).flatMap((name) => {
    const value = numberIn(budget, name)
    return value === undefined ? [] : [[name, value] as const]
  })
  return {
    id,
    goal,
    status,
    paused,
    project,
    createdAt,
    ...times(head),
    ...texts(payload, ['errorMessage', 'actor', 'reason']),
    ...(payload['input'] !== undefined && { input: shownValue(payload['input']) }),
    ...(payload['result'] !== undefined && { result: shownValue(payload['result']) }),
    budget: Object.fromEntries(limits),
    ...(halting !== undefined && { halting }),
    ...(parentPlanId !== undefined && { parentPlanId: short(parentPlanId) }),
    ...(parentStepId !== undefined && { parentStepId: short(parentStepId) }),
    ...(follows !== undefined && { follows: short(follows) }),
    ...(forkedFrom !== undefined && { forkedFrom: short(forkedFrom) }),
    ...(carried !== undefined && { carried }),
    ...(head.redacted && { erased: true as const }),
  }
}

export function planRow(head: Node, steps: PlanRow['steps']): PlanRow {
  const { errorMessage } = texts(redactValue(head.payload), ['errorMessage'])
  return {
    ...base(head),
    steps,
    changedAt: head.createdAt,
    ...times(head),
    ...(errorMessage !== undefined && { errorMessage }),
  }
}

function base(head: Node): Pick<PlanRow, 'id' | 'goal' | 'status' | 'paused' | 'project'> {
  return {
    id: short(head.id),
    goal: head.redacted ? '(erased)' : shownText(textIn(redactValue(head.payload), 'goal') ?? '', 2_000),
    status: head.status ?? '',
    paused: head.payload['paused'] === true,
    project: head.partition === '_global' ? '' : head.partition,
  }
}

function times(head: Node): Pick<PlanRow, 'startedAt' | 'endedAt'> {
  const startedAt = timeIn(head.payload, 'startedAt')
  const isOver = head.status !== 'open' && head.status !== 'running'
  const endedAt = isOver ? (timeIn(head.payload, 'completedAt') ?? head.createdAt) : undefined
  return { ...(startedAt !== undefined && { startedAt }), ...(endedAt !== undefined && { endedAt }) }
}

function texts<const K extends string>(
  payload: Readonly<Record<string, unknown>>,
  names: readonly K[],
): { readonly [Name in K]?: string } {
  const found = names.flatMap((name) => {
    const value = textIn(payload, name)
    return value === undefined ? [] : [[name, shownText(value)] as const]
  })
  return Object.fromEntries(found) as { readonly [Name in K]?: string }
}
