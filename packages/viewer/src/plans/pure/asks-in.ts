/** The questions that a person can answer now: of a step that waits for its answer, or of a durable function, which asks in entries of its own. */
import { type Node, redactValue } from '@agentm/nodes'
import type { Ask } from '../../contract/plans.ts'
import { fieldsOf, listIn, numberIn, textIn } from '../../pure/fields.ts'
import { shownText, shownValue } from '../../pure/shown-value.ts'
import { short } from '../../pure/short.ts'

export function asksIn(step: Node): readonly Ask[] {
  if (step.status !== 'blocked' || step.redacted) return []
  const wait = fieldsOf(redactValue(step.payload)['waitsFor'])
  return wait['for'] === 'answer' ? askOf(step, { question: wait['question'], since: step.createdAt }) : []
}

/** Of entries that ask. A function that has ended asks nothing any more. */
export function asksOfFunction(step: Node, entries: readonly Node[]): readonly Ask[] {
  const isOver = step.status === 'done' || (step.status === 'failed' && step.payload['retryAt'] === undefined)
  if (isOver || step.redacted) return []
  return entries
    .filter(({ status, redacted }) => status === 'asking' && !redacted)
    .flatMap((entry) => askOf(step, { question: redactValue(entry.payload)['question'], since: entry.createdAt }))
}

function askOf(
  step: Node,
  { question, since }: { readonly question: unknown; readonly since: number },
): readonly [] | readonly [Ask] {
  const payload = redactValue(step.payload)
  const asked = fieldsOf(question)
  const questionId = textIn(asked, 'id')
  if (questionId === undefined) return []
  const allowed = listIn(asked, 'allowed')
  const deadline = numberIn(asked, 'deadline')
  const ask = {
    planId: short(textIn(payload, 'planId') ?? ''),
    stepId: short(step.id),
    title: textIn(payload, 'title') ?? '',
    questionId,
    text: shownText(textIn(asked, 'text') ?? ''),
    since,
    ...(allowed.length > 0 && { allowed }),
    ...(deadline !== undefined && { deadline }),
    ...(asked['about'] !== undefined && { about: shownValue(asked['about']) }),
  }
  return [ask]
}
