/**
 * Steps of kind `agent`: a model with tools, until it answers. Its effects are kept in the log one by one, so the step as a
 * whole may be run again by any worker, and so is its conversation, so that it goes on where the last worker was lost. A
 * question gives the slot back; the answer takes the conversation up as well.
 */
import type { NodeLog } from '@agentm/nodes'
import {
  type InnerLoopOptions,
  type LoopEnd,
  type Message,
  type Model,
  runInnerLoop,
  stepOutcome,
  type Tool,
} from '@agentm/agent-loop'
import { agentMessages } from '../agents/pure/agent-messages.ts'
import { answeredByPerson } from '../agents/agent-without-model.ts'
import { type Assignment, assignmentOf, stepGoal } from '../agents/assignment.ts'
import { nodeEffectLog } from '../node-effect-log.ts'
import { Conversation } from './conversation.ts'
import { rateLimitWait } from '../pure/rate-limit-wait.ts'
import type { Dependency, StepKind, StepOutcome, StepRun } from '../step-kind.ts'
import type { Step } from '../step.ts'

/** Options of `agentKind`. */
export interface AgentKindOptions extends Pick<InnerLoopOptions, 'limits' | 'window' | 'retry' | 'modelRetry'> {
  /** Where effects are kept: the log of the store the worker runs on. */
  readonly log: NodeLog
  readonly modelOf: (step: Step) => Model
  readonly tools?: readonly Tool[]
  /** The tools there are for a run, where that depends on whose step it is; instead of `tools`. */
  readonly toolsOf?: (run: StepRun) => Promise<readonly Tool[]>
  /** Pieces of what the model says, as they come: for somebody who watches. A reply that broke off begins again. */
  readonly onText?: (piece: string, at: TextPlace) => void
  /** The tools this step may use (default: all; an empty list allows none). An agent it is given to has fewer, never more. */
  readonly scopeOf?: (step: Step) => readonly string[] | undefined
  /** The system prompt (default: its agent's prompt, the step, and what the steps before it gave). */
  readonly messagesOf?: (step: Step, dependencies: readonly Dependency[]) => readonly Message[]
}

/** The step and the reply that a piece of streamed text belongs to. */
export interface TextPlace {
  readonly planId: string
  readonly stepId: string
  readonly title: string
  /** Counted from 1, as the attempts of each are. */
  readonly reply: number
  readonly attempt: number
}

/**
 * Steps of kind `agent`: a model with tools, until it answers. Effects and the conversation are kept in the log, so
 * another worker can continue where one was lost.
 *
 * @example
 * ```ts
 * import { createInMemoryStore } from '@agentm/conformance/logs'
 * import { agentKind, harnessConcepts } from '@agentm/harness'
 *
 * const { log } = createInMemoryStore({ concepts: harnessConcepts })
 * const agents = agentKind({ log, modelOf: () => ({ respond: async () => ({ text: 'Done.' }) }) })
 * console.log(agents.name) // agent
 * ```
 */
export function agentKind(options: AgentKindOptions): StepKind {
  return {
    name: 'agent',
    // Each of its effects is recorded separately.
    natureOf: () => 'idempotent',
    run: async (run) =>
      answeredByPerson(run.step) ?? (await unpriced(run, options)) ?? outcomeOf(await loopOf(run, options), run),
  }
}

/** A cost limit needs prices, so a model without prices is not called under one. */
async function unpriced(run: StepRun, { modelOf }: AgentKindOptions): Promise<StepOutcome | undefined> {
  if (modelOf(run.step).costMicrosOf !== undefined || !(await run.budget.limitsMoney())) return undefined
  const message =
    'the budget of its plan limits money, and its model has no price. Set models.prices, in dollars per million tokens'
  return { end: 'failed', failure: { message, retryable: false, code: 'MODEL_UNPRICED' } }
}

async function loopOf(run: StepRun, options: AgentKindOptions): Promise<LoopEnd> {
  const { log, modelOf, tools: fixed = [], toolsOf, scopeOf, messagesOf, onText, ...loop } = options
  const { step, owner, partition } = run
  const assignment = await assignmentOf(log, { owner, step })
  const scope = narrowest(scopeOf?.(step), assignment?.tools)
  const tools = (await toolsOf?.(run)) ?? fixed
  const dependencies = await run.dependencies()
  const messages = messagesOf?.(step, dependencies) ?? toldOf(step, { assignment, dependencies })
  const conversation = new Conversation(log, { run, opening: messages })
  const from = await conversation.resume()
  if (from !== undefined) await run.budget.takeOver(from.untold)
  const end = await runInnerLoop({
    ...loop,
    model: modelOf(step),
    tools,
    messages,
    work: {
      plan: run.planId,
      step: run.id,
      effects: nodeEffectLog({ log, owner, actor: 'agent', partition, fence: () => run.fence() }),
    },
    observe: async (observation) => {
      await run.observe(observation)
    },
    ask: async ({ id }) => step.answers?.[id]?.value,
    budget: run.budget,
    signal: run.signal,
    runtime: run.runtime,
    ...(onText !== undefined && {
      onText: (piece, at) => onText(piece, { ...at, planId: run.planId, stepId: run.id, title: step.title }),
    }),
    save: async (checkpoint) => conversation.save(checkpoint),
    ...(scope !== undefined && { scope }),
    ...(from !== undefined && { from }),
  })
  // Whoever takes it up makes the calls that wait for the answer, and none of those that were made.
  if (end.ended === 'asking') await conversation.save(end.checkpoint)
  return end
}

/** Both have to allow a tool. */
function narrowest(
  one: readonly string[] | undefined,
  other: readonly string[] | undefined,
): readonly string[] | undefined {
  return one === undefined || other === undefined ? (one ?? other) : one.filter((name) => other.includes(name))
}

function toldOf(
  step: Step,
  {
    assignment,
    dependencies,
  }: { readonly assignment: Assignment | undefined; readonly dependencies: readonly Dependency[] },
): readonly Message[] {
  if (assignment === undefined) return plainMessages(step, dependencies)
  const { goal: _, roleHint: __, ...input } = step.input ?? {}
  return agentMessages(assignment.prompt, { title: step.title, goal: stepGoal(step), input, before: dependencies })
}

function outcomeOf(end: LoopEnd, run: StepRun): StepOutcome {
  if (end.ended === 'asking') return { end: 'asks', question: end.question }
  const outcome = stepOutcome(end.stop)
  if (outcome.ok) return { end: 'done', result: { text: outcome.text, stop: end.stop.reason } }
  const { message, retryable, retryAfterMs, isRateLimit } = outcome
  // The conversation is kept: what was said before is not paid for again.
  if (isRateLimit) return rateLimitWait(run, { message, ...(retryAfterMs !== undefined && { retryAfterMs }) })
  return {
    end: 'failed',
    failure: {
      message: `${end.stop.reason}: ${message}`,
      retryable,
      code: end.stop.reason,
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    },
  }
}

function plainMessages({ title, input }: Step, dependencies: readonly Dependency[]): readonly Message[] {
  const given = dependencies.map((before) => `${before.title}: ${JSON.stringify(before.result ?? {})}`)
  const parts = [title, ...(input === undefined ? [] : [`Input: ${JSON.stringify(input)}`])]
  const known = given.length === 0 ? [] : [`Known from the steps before:\n${given.join('\n')}`]
  return [
    { role: 'system', text: 'You carry out one step of a plan with the tools you are given, then give its result.' },
    { role: 'user', text: [...parts, ...known].join('\n\n') },
  ]
}
