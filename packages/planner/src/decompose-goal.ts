/** Divides a goal into steps. If that fails, the goal becomes one step, and the record says why. */
import type { Model } from '@agentm/agent-loop'
import { askStructured } from '@agentm/agent-loop/models'
import type { NewObservation } from '@agentm/harness'
import { decompositionSchema } from './decomposition-schema.ts'
import { type ProposedStep, singleStep } from './pure/decomposition.ts'
import { decomposeGoalName, decomposeGoalPrompt, type EarlierPlan, type Recalled } from './pure/decompose-prompt.ts'
import { isTrivialGoal } from './pure/is-trivial-goal.ts'

/** Finds memories about a goal. It is called once, before the goal is planned. */
export type RecallForGoal = (
  goal: string,
  options: { readonly partition: string | undefined; readonly signal: AbortSignal },
) => Promise<readonly Recalled[]>

export interface DecomposeOptions {
  readonly model?: Model | undefined
  readonly recall?: RecallForGoal | undefined
  readonly partition?: string | undefined
  readonly earlier?: EarlierPlan | undefined
  /** The names of files that the agents of its steps are shown. */
  readonly files?: readonly string[]
  readonly signal: AbortSignal
}

export interface Decomposed {
  readonly steps: readonly ProposedStep[]
  readonly decision: NewObservation
}

/** Throws only if it is aborted. */
export async function decomposeGoal(goal: string, options: DecomposeOptions): Promise<Decomposed> {
  const { model, earlier, signal, files = [] } = options
  if (earlier === undefined && isTrivialGoal(goal))
    return single(goal, 'trivial', 'one short sentence that joins nothing is one step', {
      alternatives: [{ choice: 'decompose', why: 'a call of the model that would yield the same step' }],
    })
  if (model === undefined)
    return single(goal, 'fallback', 'there is no model to take the goal apart', {
      alternatives: [{ choice: 'decompose', why: 'no model is configured' }],
    })
  const remembered = await recalled(goal, options)
  const spent = { tokens: 0, costMicros: 0 }
  const asked = await ask(model, { goal, recalled: remembered.found, earlier, files, signal, spent })
  signal.throwIfAborted()
  const facts = {
    prompt: decomposeGoalName,
    tokens: spent.tokens,
    ...(spent.costMicros > 0 && { costMicros: spent.costMicros }),
    // Only the ids of the memories that the model saw. Their text stays where people can erase it.
    recalled: remembered.found.map(({ id }) => id),
    ...(remembered.problem !== undefined && { recallProblem: remembered.problem }),
  }
  if ('problem' in asked)
    return single(goal, 'fallback', `the goal is done as one step: ${asked.problem}`, {
      ...facts,
      alternatives: [{ choice: 'decompose', why: asked.problem }],
    })
  return {
    steps: asked.steps,
    decision: decided('decompose', `the model took the goal apart into ${counted(asked.steps.length)}`, asked.steps, {
      ...facts,
      alternatives: [{ choice: 'single-step', why: 'kept for when the model gives nothing usable' }],
    }),
  }
}

function single(goal: string, choice: string, rationale: string, facts: object): Decomposed {
  const steps = [singleStep(goal)]
  return { steps, decision: decided(choice, rationale, steps, facts) }
}

function decided(choice: string, rationale: string, steps: readonly ProposedStep[], facts: object): NewObservation {
  return {
    kind: 'decision',
    content: `${choice}: ${rationale}`,
    data: { choice, rationale, steps: steps.map(({ key, title }) => ({ key, title })), ...facts },
  }
}

async function recalled(
  goal: string,
  { recall, partition, signal }: DecomposeOptions,
): Promise<{ readonly found: readonly Recalled[]; readonly problem?: string }> {
  if (recall === undefined) return { found: [] }
  try {
    return { found: await recall(goal, { partition, signal }) }
  } catch (error) {
    signal.throwIfAborted()
    return { found: [], problem: messageOf(error) }
  }
}

async function ask(
  model: Model,
  asked: {
    readonly goal: string
    readonly recalled: readonly Recalled[]
    readonly earlier: EarlierPlan | undefined
    readonly files: readonly string[]
    readonly signal: AbortSignal
    readonly spent: { tokens: number; costMicros: number }
  },
): Promise<{ readonly steps: readonly ProposedStep[] } | { readonly problem: string }> {
  const { goal, earlier, files, signal, spent } = asked
  try {
    const answer = await askStructured(model, {
      messages: decomposeGoalPrompt({ goal, recalled: asked.recalled, files, ...(earlier && { earlier }) }),
      schema: decompositionSchema,
      name: decomposeGoalName,
      signal,
      onUsage: (usage) => {
        spent.tokens += usage.inputTokens + usage.outputTokens
        spent.costMicros += usage.costMicros ?? model.costMicrosOf?.(usage) ?? 0
      },
    })
    return answer.ok ? { steps: answer.value } : { problem: `the answer was no plan (${answer.problem})` }
  } catch (error) {
    signal.throwIfAborted()
    return { problem: `the model did not answer (${messageOf(error)})` }
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function counted(n: number): string {
  return n === 1 ? '1 step' : `${n} steps`
}
