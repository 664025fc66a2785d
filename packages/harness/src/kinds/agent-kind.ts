/**
 * Steps of kind `agent`: a model calls tools until it gives an answer. Each effect is recorded separately, so any worker may run
 * the step again. The conversation is recorded, too, so the next worker continues where a lost worker stopped. When the model asks
 * a question, the step gives up its slot; the answer continues the conversation.
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
import { decisiveRefusals, type MediaPolicy } from '@agentm/agent-loop/internal'
import { agentMessages } from '../agents/pure/agent-messages.ts'
import { answeredByPerson } from '../agents/agent-without-model.ts'
import { type Assignment, assignmentOf, stepGoal } from '../agents/assignment.ts'
import { nodeEffectLog } from '../node-effect-log.ts'
import { Conversation } from './conversation.ts'
import { filesElsewhere, filesOf, withFiles, withoutFiles } from './step-files.ts'
import { rateLimitWait } from '../pure/rate-limit-wait.ts'
import type { Dependency, StepKind, StepOutcome, StepRun } from '../step-kind.ts'
import type { Step } from '../step.ts'

/** Options of `agentKind`. */
export interface AgentKindOptions extends Pick<InnerLoopOptions, 'limits' | 'window' | 'retry' | 'modelRetry'> {
  /** The log that effects are written to: that of the worker's store. */
  readonly log: NodeLog
  readonly modelOf: (step: Step) => Model
  readonly tools?: readonly Tool[]
  /** The tools for one run, if they depend on the owner of the step. Use it instead of `tools`. */
  readonly toolsOf?: (run: StepRun) => Promise<readonly Tool[]>
  /** Tools for one run that every agent has, whatever its scope, such as those of `todoTools`. */
  readonly ownToolsOf?: (run: StepRun) => Promise<readonly Tool[]>
  /** Gets each piece of the model's text as it arrives, for live output. A reply that is interrupted starts again from the beginning. */
  readonly onText?: (piece: string, at: TextPlace) => void
  /**
   * The tools this step may use (default: all; an empty list allows none). If the step is assigned to an agent, only tools that the
   * agent has, too, remain.
   */
  readonly scopeOf?: (step: Step) => readonly string[] | undefined
  /** Which pictures and documents the model takes, and where their bytes are (default: none). */
  readonly media?: MediaPolicy
  /** The command that allows a tool which was refused, for the message of the failure. */
  readonly settingFor?: (tool: string) => string | undefined
  /** The system prompt (default: the agent's prompt, the step, and the results of the steps before it). */
  readonly messagesOf?: (step: Step, dependencies: readonly Dependency[]) => readonly Message[]
}

/** The step and the reply that a piece of streamed text belongs to. */
export interface TextPlace {
  readonly planId: string
  readonly stepId: string
  readonly title: string
  /** The number of the reply within the attempt, from 1. */
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
    heedsChecks: true,
    run: async (run) =>
      answeredByPerson(run.step) ??
      (await unpriced(run, options)) ??
      (await filesElsewhere(run, options.media)) ??
      looped(run, options),
  }
}

/** A cost limit needs prices, so a step with a cost limit refuses a model without a price. */
async function unpriced(run: StepRun, { modelOf }: AgentKindOptions): Promise<StepOutcome | undefined> {
  if (modelOf(run.step).costMicrosOf !== undefined || !(await run.budget.limitsMoney())) return undefined
  const message =
    'the budget of its plan limits money, and its model has no price. Set models.prices, in dollars per million tokens'
  return { end: 'failed', failure: { message, retryable: false, code: 'MODEL_UNPRICED' } }
}

async function looped(run: StepRun, options: AgentKindOptions): Promise<StepOutcome> {
  const assignment = await assignmentOf(options.log, { owner: run.owner, step: run.step })
  const end = await loopOf(run, assignment, options)
  if (end.ended === 'asking') return { end: 'asks', question: end.question }
  const needed = assignment?.dropped
  const refused = decisiveRefusals(end.calls, (tool) => needed?.includes(tool) ?? true)
  // Whatever the model says, it could not do its work.
  return stepOutcome(end.stop).ok && refused.length > 0 ? refusedTools(refused, options) : outcomeOf(end, run)
}

async function loopOf(run: StepRun, assignment: Assignment | undefined, options: AgentKindOptions): Promise<LoopEnd> {
  const {
    log,
    modelOf,
    tools: fixed = [],
    toolsOf,
    ownToolsOf,
    scopeOf,
    messagesOf,
    settingFor: _,
    media,
    onText,
    ...loop
  } = options
  const { step, owner, partition } = run
  const scope = narrowest(scopeOf?.(step), assignment?.tools)
  const tools = (await toolsOf?.(run)) ?? fixed
  const own = (await ownToolsOf?.(run)) ?? []
  const dependencies = await run.dependencies()
  const told = messagesOf?.(step, dependencies) ?? toldOf(step, { assignment, dependencies })
  const messages = withFiles(told, filesOf(step.input))
  const conversation = new Conversation(log, { run, opening: messages })
  const from = await conversation.resume(await run.failedChecks())
  if (from !== undefined) await run.budget.takeOver(from.untold)
  const end = await runInnerLoop({
    ...loop,
    model: modelOf(step),
    tools: [...tools, ...own],
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
    ...(media && { media: media.store }),
    ...(scope !== undefined && { scope: [...scope, ...own.map(({ name }) => name)] }),
    ...(from !== undefined && { from }),
  })
  // Whoever continues makes only the calls that wait for the answer, and repeats none of the finished ones.
  if (end.ended === 'asking') await conversation.save(end.checkpoint)
  return end
}

/** A tool is allowed only if both lists allow it. */
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
  const { goal: _, roleHint: __, ...input } = withoutFiles(step.input) ?? {}
  return agentMessages(assignment.prompt, { title: step.title, goal: stepGoal(step), input, before: dependencies })
}

function outcomeOf(end: Stopped, run: StepRun): StepOutcome {
  const outcome = stepOutcome(end.stop)
  if (outcome.ok) return { end: 'done', result: { text: outcome.text, stop: end.stop.reason } }
  const { message, retryable, retryAfterMs, isRateLimit } = outcome
  // The conversation is kept, so that the messages before the rate limit are not paid for again.
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

type Stopped = Extract<LoopEnd, { ended: 'stopped' }>

function refusedTools(tools: readonly string[], { settingFor }: AgentKindOptions): StepOutcome {
  const settings = [...new Set(tools.flatMap((tool) => settingFor?.(tool) ?? []))]
  const cure =
    settings.length === 0 ? 'Give the step these tools, or another task' : `To allow them: ${settings.join('; ')}`
  const message = `the step did nothing, because its calls of ${tools.join(', ')} were refused. ${cure}`
  return { end: 'failed', failure: { message, code: 'REFUSED_TOOLS', retryable: false } }
}

function plainMessages(step: Step, dependencies: readonly Dependency[]): readonly Message[] {
  const { title } = step
  const input = withoutFiles(step.input)
  const given = dependencies.map((before) => `${before.title}: ${JSON.stringify(before.result ?? {})}`)
  const parts = [title, ...(input === undefined ? [] : [`Input: ${JSON.stringify(input)}`])]
  const known = given.length === 0 ? [] : [`Known from the steps before:\n${given.join('\n')}`]
  return [
    { role: 'system', text: 'You carry out one step of a plan with the tools you are given, then give its result.' },
    { role: 'user', text: [...parts, ...known].join('\n\n') },
  ]
}
