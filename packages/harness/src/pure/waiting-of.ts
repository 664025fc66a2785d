/** Why an unfinished step waits, and the time after which it continues by itself. Programs that show it choose the words. */
import type { Question } from '@agentm/agent-loop'
import type { FlowGate } from '@agentm/nodes'
import { opensAt } from '../flow/pure/start-times.ts'
import type { FunctionWait, Step } from '../step.ts'
import type { BudgetLimit } from './budget-verdict.ts'

/** The reason why a step waits. */
export type WaitReason =
  /** Waits for earlier steps that are not done. A count of 0 means that a worker has not looked at it yet. */
  | { readonly for: 'steps'; readonly count: number }
  /** Waits for a worker that runs its kind. */
  | { readonly for: 'worker' }
  /** Waits because its plan is paused. */
  | { readonly for: 'resume' }
  /** Runs in this worker session. */
  | { readonly for: 'session'; readonly session: string | undefined }
  | ({ readonly for: 'room' } & RoomWanted)
  | { readonly for: 'answer'; readonly text: string }
  | { readonly for: 'plan'; readonly planId: string }
  | { readonly for: 'time' }
  /** Waits until fewer steps with this key run. */
  | { readonly for: 'limit'; readonly key: string; readonly atOnce: number }
  /** Waits because as many steps with this key have started as may start in this time. */
  | { readonly for: 'rate'; readonly key: string; readonly starts: number; readonly perMs: number }
  | { readonly for: 'rate-limit'; readonly message: string }
  /** A durable function waits for one of these signals. */
  | { readonly for: 'signal'; readonly names: readonly string[] }
  /** The code of a durable function no longer fits what it recorded. */
  | { readonly for: 'code'; readonly message: string }
  /** Failed, and waits for its retry. */
  | { readonly for: 'retry' }

export interface WaitingStep {
  readonly status: Step['status']
  readonly waitsFor: WaitReason
  readonly until?: number
  /** The question that a person can answer. A durable function may ask while it runs. */
  readonly ask?: OpenAsk
  /** What a durable function asks beside that, in the order of asking. */
  readonly alsoAsks?: readonly OpenAsk[]
}

/** A question that can be answered now. */
export interface OpenAsk {
  readonly questionId: string
  readonly text: string
  readonly allowed: readonly string[] | undefined
  /** An agent may answer, too. */
  readonly mayAnswer?: 'anyone'
  /** In epoch milliseconds. */
  readonly deadline?: number
}

/** A call of a running step that waits for budget which other steps have reserved. */
export interface RoomWanted {
  readonly limit: BudgetLimit
  readonly planId: string
  /** The steps that have reserved it. */
  readonly others: readonly string[]
}

/** What is known about the start of a ready step. */
export interface StartFacts {
  /** When its newest version was written. */
  readonly createdAt?: number
  /** The limits before which steps of its owner wait. */
  readonly gates?: readonly FlowGate[]
}

export interface WaitFacts extends StartFacts {
  readonly remaining: number
  readonly held: boolean
  readonly room?: RoomWanted | undefined
  /** What a durable function asks, oldest first. */
  readonly questions?: readonly Question[] | undefined
}

export function waitingOf(step: Step, facts: WaitFacts): WaitingStep | undefined {
  const found = waitOf(step, facts)
  const [question, ...others] = facts.questions ?? []
  if (found === undefined || question === undefined) return found
  const alsoAsks = others.length === 0 ? {} : { alsoAsks: others.map(askOf) }
  // Of all that a function waits for, what somebody can do something about comes first.
  if (step.status === 'blocked' && step.waitsFor?.for === 'function')
    return { ...asking(step.status, question), ...alsoAsks }
  return { ...found, ask: askOf(question), ...alsoAsks }
}

function waitOf(step: Step, facts: WaitFacts): WaitingStep | undefined {
  const { status } = step
  switch (status) {
    case 'pending':
      return { status, waitsFor: { for: 'steps', count: facts.remaining } }
    case 'ready':
      return facts.held ? { status, waitsFor: { for: 'resume' } } : { status, ...startOf(step, facts) }
    case 'running':
      return {
        status,
        waitsFor: facts.room === undefined ? { for: 'session', session: step.session } : { for: 'room', ...facts.room },
      }
    case 'blocked':
      return blocked(step, facts)
    case 'failed':
      return step.retryAt === undefined ? undefined : { status, waitsFor: { for: 'retry' }, until: step.retryAt }
    default:
      return undefined
  }
}

/** What keeps a ready step from its start. */
function startOf(step: Step, { createdAt, gates = [] }: StartFacts): Omit<WaitingStep, 'status'> {
  const until = createdAt === undefined ? undefined : opensAt(step, createdAt)
  if (until !== undefined) return { waitsFor: { for: 'time' }, until }
  const { limit, rate } = step
  const isFull = (gate: FlowGate): boolean => gate.limit?.key === limit?.key && gate.limit?.atOnce === limit?.atOnce
  const full = gates.find((gate) => isFull(gate) && gate.limit !== undefined && gate.limit.running >= gate.limit.atOnce)
  if (limit !== undefined && full !== undefined) return { waitsFor: { for: 'limit', ...limit } }
  const over = rate && gates.find((gate) => gate.opensAt !== undefined && isSameRate(gate.rate, rate))
  if (rate === undefined || over?.opensAt === undefined) return { waitsFor: { for: 'worker' } }
  return { waitsFor: { for: 'rate', ...rate }, until: over.opensAt }
}

function isSameRate(a: FlowGate['rate'], b: NonNullable<Step['rate']>): boolean {
  return a?.key === b.key && a.starts === b.starts && a.perMs === b.perMs
}

function blocked({ status, waitsFor }: Step, { remaining }: { readonly remaining: number }): WaitingStep {
  switch (waitsFor?.for) {
    case 'answer':
      return asking(status, waitsFor.question)
    case 'function':
      return functionWaits(status, waitsFor)
    case 'code':
      return { status, waitsFor: { for: 'code', message: waitsFor.message } }
    case 'plan':
      return { status, waitsFor: { for: 'plan', planId: waitsFor.planId } }
    case 'time':
      return { status, waitsFor: { for: 'time' }, until: waitsFor.until }
    case 'rate-limit':
      return { status, waitsFor: { for: 'rate-limit', message: waitsFor.message }, until: waitsFor.until }
    case 'resume':
      return { status, waitsFor: { for: 'resume' } }
    default:
      return { status, waitsFor: { for: 'steps', count: remaining } }
  }
}

function asking(status: Step['status'], question: Question): WaitingStep {
  const { text, deadline } = question
  const ends = deadline === undefined ? {} : { until: deadline }
  return { status, waitsFor: { for: 'answer', text }, ask: askOf(question), ...ends }
}

function askOf({ id, text, allowed, mayAnswer, deadline }: Question): OpenAsk {
  return {
    questionId: id,
    text,
    allowed,
    ...(mayAnswer && { mayAnswer }),
    ...(deadline !== undefined && { deadline }),
  }
}

function functionWaits(status: Step['status'], { plans, signals, until }: FunctionWait): WaitingStep {
  const [planId] = plans ?? []
  const ends = until === undefined ? {} : { until }
  if (signals !== undefined) return { status, waitsFor: { for: 'signal', names: signals }, ...ends }
  return { status, waitsFor: planId === undefined ? { for: 'time' } : { for: 'plan', planId }, ...ends }
}
