/** The questions that a step asks a person now. */
import { type Node, redactValue } from '@agentm/nodes'
import type { Ask } from '../../contract/plans.ts'
import { fieldsOf, listIn, numberIn, textIn } from '../../pure/fields.ts'
import { shownText, shownValue } from '../../pure/shown-value.ts'
import { short } from '../../pure/short.ts'

export function asksIn(step: Node): readonly Ask[] {
  const payload = redactValue(step.payload)
  if (step.status !== 'blocked' || step.redacted) return []
  const wait = fieldsOf(payload['waitsFor'])
  const many = Array.isArray(wait['questions']) ? wait['questions'] : []
  const questions: readonly unknown[] = wait['for'] === 'answer' ? [wait['question']] : many
  return questions.flatMap((question) => {
    const asked = fieldsOf(question)
    const questionId = textIn(asked, 'id')
    if (questionId === undefined) return []
    const allowed = listIn(asked, 'allowed')
    const deadline = numberIn(asked, 'deadline')
    return {
      planId: short(textIn(payload, 'planId') ?? ''),
      stepId: short(step.id),
      title: textIn(payload, 'title') ?? '',
      questionId,
      text: shownText(textIn(asked, 'text') ?? ''),
      since: step.createdAt,
      ...(allowed.length > 0 && { allowed }),
      ...(deadline !== undefined && { deadline }),
      ...(asked['about'] !== undefined && { about: shownValue(asked['about']) }),
    }
  })
}
