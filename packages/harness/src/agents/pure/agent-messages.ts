/** The messages that an agent gets for its step. The results of other steps are passed as data, in one JSON value. */
import type { Message } from '@agentm/agent-loop'

export interface StepBrief {
  readonly title: string
  readonly goal: string
  /** The rest of the step's input. */
  readonly input: Readonly<Record<string, unknown>>
  readonly before: readonly { readonly title: string; readonly result: unknown }[]
}

export function agentMessages(prompt: string, { title, goal, input, before }: StepBrief): readonly Message[] {
  const brief = {
    step: title,
    ...(goal !== title && { goal }),
    ...(Object.keys(input).length > 0 && { input }),
    ...(before.length > 0 && { before: before.map((step) => ({ step: step.title, result: step.result ?? {} })) }),
  }
  return [
    { role: 'system', text: prompt },
    { role: 'user', text: JSON.stringify(brief) },
  ]
}

/** The prompt for one step. The goal is quoted, so that text in the goal cannot pass for part of the prompt. */
export function promptFor({ prompt }: { readonly prompt: string }, goal: string): string {
  return prompt.replaceAll('{goal}', () => JSON.stringify(goal))
}
