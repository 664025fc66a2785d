/** Every text of a step that holds expressions: where it stands, and what it may read. */
import { type Expression, expressionsIn, parseExpression, templatesIn } from '@agentm/harness/control'
import type { PlanFileStep } from './plan-file-schema.ts'

export interface Written {
  readonly path: readonly PropertyKey[]
  readonly text: string
  readonly isTemplate: boolean
  readonly roots: readonly string[]
}

const always = ['steps', 'inputs']
const ofItems = ['item', 'index']
const ofTries = ['output', 'tries', 'failed']

export function writtenIn(step: PlanFileStep): readonly Written[] {
  const roots = step.foreach === undefined ? always : [...always, ...ofItems]
  const expression = (word: 'foreach' | 'when' | 'until', may: readonly string[]): readonly Written[] => {
    const text = step[word]
    return typeof text === 'string' ? [{ path: [word], text, isTemplate: false, roots: may }] : []
  }
  const templates = (word: keyof PlanFileStep, may: readonly string[]): readonly Written[] =>
    templatesIn(step[word]).map(({ path, text }) => ({ path: [word, ...path], text, isTemplate: true, roots: may }))
  return [
    ...expression('foreach', always),
    ...(Array.isArray(step.foreach) ? templates('foreach', always) : []),
    ...expression('when', roots),
    ...expression('until', [...roots, ...ofTries]),
    ...(['title', 'input', 'with', 'ask', 'sleep'] as const).flatMap((word) => templates(word, roots)),
  ]
}

/** What is wrong with it, or its expressions. */
export function parsed({ text, isTemplate }: Written): readonly Expression[] | string {
  try {
    return isTemplate ? expressionsIn(text) : [parseExpression(text)]
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    const cure = isTemplate ? `. To write the signs themselves: \${{ "\${{" }}` : ''
    return `${isTemplate ? 'the reference' : 'the expression'} cannot be read: ${error.message}${cure}`
  }
}
