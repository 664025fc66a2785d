/** The state of one loop, and its services. */
import { createBudget } from './budget.ts'
import type { CallWorld } from './call-world.ts'
import type { Checkpoint } from './checkpoint.ts'
import { createEffectLog } from './effect-log.ts'
import { defaultModelRetry, type InnerLoopOptions, type Limits, limitsOf } from './inner-loop-options.ts'
import { systemRuntime } from '../runtime.ts'
import type { Message, ToolSpec } from './model.ts'
import { OpenScope } from './open-scope.ts'
import { keptMessages } from './kept-words.ts'
import { type CallTally, freshTally } from './pure/call-tally.ts'
import { nothing, type Spend } from './pure/reserve.ts'
import { defaultRetryPolicy, type CallRetry } from './pure/retry-delay.ts'
import { scopeTools } from './pure/scope-tools.ts'
import { freshWatch, type LoopWatch, type Trip } from './pure/watch-loop.ts'
import type { EarlierAnswer } from './tool.ts'
import { respondToUser } from './respond-to-user.ts'

export interface OpenLoop {
  readonly options: InnerLoopOptions
  readonly limits: Limits
  readonly modelRetry: CallRetry
  readonly world: CallWorld
  /** The tools that the model may call. */
  readonly offered: readonly ToolSpec[]
  readonly state: LoopState
  /** Ends what tools left running. */
  close(): Promise<void>
}

/** Changes while the loop runs. A checkpoint is a copy of it. */
export interface LoopState {
  messages: readonly Message[]
  successes: Readonly<Record<string, number>>
  watch: LoopWatch
  nudged: boolean
  tally: CallTally
  iterations: number
  spent: Spend
  untold: Spend
  /** Texts that are stored in place of tool answers, by call. */
  records: ReadonlyMap<string, string>
  /** The repetition found in the current reply, until it was handled. */
  trip: (Trip & { readonly tool: string }) | undefined
  /** The size of the window, as reported by the provider's errors. */
  windowTokens: number
}

export function openLoop(options: InnerLoopOptions): OpenLoop {
  const { tools: known = [], signal = new AbortController().signal } = options
  const tools = scopeTools(known, options.scope)
  checkNames(known.map(({ name }) => name))
  const state = openState(options)
  const scope = new OpenScope()
  return {
    options,
    limits: limitsOf(options.limits),
    modelRetry: { ...defaultModelRetry, ...options.modelRetry },
    world: {
      tools,
      known,
      work: options.work ?? { plan: '', step: '', effects: createEffectLog() },
      retry: { ...defaultRetryPolicy, ...options.retry },
      runtime: options.runtime ?? systemRuntime,
      signal,
      ask: options.ask,
      budget: options.budget ?? createBudget({}),
      earlier: () => answersIn(state.messages),
      loop: scope,
    },
    offered: [...tools.map(({ name, description, input }) => ({ name, description, input })), respondToUser],
    state,
    close: () => scope.close(),
  }
}

function openState({ from, messages, window }: InnerLoopOptions): LoopState {
  return {
    messages: from?.messages ?? messages,
    successes: from?.successes ?? {},
    watch: from?.watch ?? freshWatch,
    nudged: from?.nudged ?? false,
    tally: from?.tally ?? freshTally,
    iterations: from?.iterations ?? 0,
    spent: from?.spent ?? nothing,
    untold: from?.untold ?? nothing,
    records: new Map(),
    trip: undefined,
    windowTokens: window?.maxTokens ?? 0,
  }
}

function answersIn(messages: readonly Message[]): readonly EarlierAnswer[] {
  return messages.flatMap((message) => (message.role === 'tool' && !message.failed ? [message] : []))
}

export function checkpointOf({ state, world }: OpenLoop): Checkpoint {
  const messages = keptMessages(state.messages, { tools: world.known, records: state.records })
  const { successes, watch, nudged, tally, iterations, spent, untold } = state
  return { messages, successes, watch, nudged, tally, iterations, spent, untold }
}

function checkNames(names: readonly string[]): void {
  const taken = names.find((name, i) => name === respondToUser.name || names.indexOf(name) !== i)
  if (taken !== undefined) throw new TypeError(`two tools are named ${taken}`)
}
