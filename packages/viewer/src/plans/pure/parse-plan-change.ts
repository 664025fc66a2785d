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
  if (sent['do'] === 'fork') return forkIn(sent, why)
  if (!isId(stepId)) return undefined
  const step = ofStep.find((word) => word === sent['do'])
  if (step !== undefined) return { do: step, stepId, ...why }
  if (sent['do'] !== 'answer' || !isText(questionId) || questionId === '' || !isText(value) || value === '')
    return undefined
  return { do: 'answer', stepId, questionId, value, ...why }
}

function forkIn(
  { planId, stepId, id, input, stepInput }: Readonly<Record<string, unknown>>,
  why: { readonly reason?: string },
): PlanChange | undefined {
  const [inputs, stepInputs] = [textsIn(input), textsIn(stepInput)]
  if (!isId(planId) || !isId(id) || inputs === undefined || stepInputs === undefined) return undefined
  if (stepId === undefined) return { do: 'fork', planId, id, input: inputs, stepInput: stepInputs, ...why }
  return isId(stepId) ? { do: 'fork', planId, id, stepId, input: inputs, stepInput: stepInputs, ...why } : undefined
}

/** `undefined` for anything but texts by name. */
function textsIn(value: unknown): Readonly<Record<string, string>> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const texts = Object.entries(value).flatMap(([name, text]) => (isText(text) ? [[name, text] as const] : []))
  return texts.length === Object.keys(value).length ? Object.fromEntries(texts) : undefined
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= longest
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && /^[^\s:]{1,200}$/u.test(value)
}
