/** A change as the page sent it, or what is wrong with it. */
import type { PlanChange } from '../../contract/plans.ts'

const ofPlan = ['pause', 'resume', 'cancel', 'retry'] as const
const ofStep = ['retry-step', 'skip'] as const
const longest = 10_000

/** `undefined` for anything else: unknown words, missing ids, fields that are no text. */
export function parsePlanChange(sent: Readonly<Record<string, unknown>>): PlanChange | undefined {
  const reason = sent['reason']
  if (reason !== undefined && !isText(reason)) return undefined
  const why = reason === undefined || reason === '' ? {} : { reason }
  const { planId, stepId, questionId, value } = sent
  const plan = ofPlan.find((word) => word === sent['do'])
  if (plan !== undefined) return isId(planId) ? { do: plan, planId, ...why } : undefined
  if (!isId(stepId)) return undefined
  const step = ofStep.find((word) => word === sent['do'])
  if (step !== undefined) return { do: step, stepId, ...why }
  if (sent['do'] !== 'answer' || !isText(questionId) || questionId === '' || !isText(value) || value === '')
    return undefined
  return { do: 'answer', stepId, questionId, value, ...why }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= longest
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && /^[^\s:]{1,200}$/u.test(value)
}
