/**
 * Steps of kind `agent` on a machine where no model is configured. The step asks a person for its result. Once a model is
 * configured, `resumeWithModel` makes the steps that still wait ready again.
 */
import { scanAll } from '@agentm/nodes'
import { asStep, type HarnessContext, untilUncontested } from '../harness-context.ts'
import { versionsOf } from '../plan-control.ts'
import { stepName } from '../pure/concept-names.ts'
import { readyDraft } from '../pure/step-drafts.ts'
import type { Step } from '../step.ts'
import type { StepKind, StepOutcome } from '../step-kind.ts'

export const withoutModelId = 'without-model'

/**
 * Steps of kind `agent` when no model is configured: a person is asked for the result.
 *
 * @example
 * ```ts
 * import { agentWithoutModel } from '@agentm/harness'
 *
 * console.log(agentWithoutModel().name) // agent
 * ```
 */
export function agentWithoutModel(): StepKind {
  return {
    name: 'agent',
    natureOf: () => 'idempotent',
    run: async ({ step }) => answeredByPerson(step) ?? { end: 'asks', question: questionOf(step) },
  }
}

/** The result that a person gave for the step. Any worker can read it. */
export function answeredByPerson(step: Step): StepOutcome | undefined {
  const answer = step.answers?.[withoutModelId]
  return answer && { end: 'done', result: { text: answer.value, answeredBy: answer.actor } }
}

/**
 * Makes the steps of a plan ready again that wait because there was no model. Returns how many there were.
 *
 * @example
 * ```ts
 * import { createInMemoryStore } from '@agentm/conformance/logs'
 * import { harnessConcepts, openHarness, resumeWithModel } from '@agentm/harness'
 *
 * const context = { store: createInMemoryStore({ concepts: harnessConcepts }), owner: 'ada', actor: 'docs' }
 * const step = { key: 'a', title: 'Write the parser', kind: 'agent' }
 * const { planId } = await openHarness(context).createPlan({ goal: 'a parser', steps: [step] })
 * console.log(await resumeWithModel(context, planId)) // 0
 * ```
 */
export async function resumeWithModel(context: HarnessContext, planId: string): Promise<number> {
  const { store, owner, actor } = context
  return untilUncontested(async () => {
    const blocked = await scanAll(store.log, { owner, parent: planId, concepts: [stepName], status: 'blocked' })
    const waiting = blocked
      .filter(({ redacted }) => !redacted)
      .map((head) => asStep(head))
      .filter(({ payload: { waitsFor } }) => waitsFor?.for === 'answer' && waitsFor.question.id === withoutModelId)
    if (waiting.length > 0)
      await store.log.append(waiting.map(readyDraft), { owner, actor, expects: versionsOf(waiting) })
    return waiting.length
  })
}

/** Somebody is to do the work of an agent, so an agent may say what came of it. */
function questionOf({ title }: Step) {
  return {
    id: withoutModelId,
    mayAnswer: 'anyone' as const,
    text: `No model is configured that could do "${title}". Configure one and take the goal up again, or say what came of it.`,
  }
}
