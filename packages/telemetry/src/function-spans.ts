/** The spans of what durable functions ask for: steps and their attempts, sleeps, questions, signals, and calls of other functions and plans. */
import type { Node } from '@agentm/nodes'
import { reportSpan } from './new-span.ts'
import type { Attributes } from './otel-api.ts'
import type { PlanPlace } from './plan-places.ts'
import { errorType, type Fault } from './pure/attempt-end.ts'
import { type EntryFacts, entryFacts } from './pure/node-facts.ts'
import { againPlace, entryPlace, type SpanPlace, stepPlace } from './pure/span-ids.ts'
import type { Signals } from './signals.ts'

/** What a function asked for, of a plan that is traced. */
export interface TracedEntry {
  readonly node: Node
  readonly facts: EntryFacts
  readonly plan: PlanPlace
}

/** `undefined` if its plan is not traced. */
export function tracedEntry({ places }: Signals, node: Node): TracedEntry | undefined {
  const facts = entryFacts(node)
  const plan = places.of(node.owner, facts.planId)
  return plan.isTraced ? { node, facts, plan } : undefined
}

/** All of it. A step that ended at its first attempt is one span `at` the place of that attempt, because what ran in it is below that. */
export function reportEntry(
  signals: Signals,
  entry: TracedEntry,
  { from, at }: { readonly from: number; readonly at?: SpanPlace },
): void {
  const { node, facts, plan } = entry
  const parent = stepPlace(plan, facts.stepId)
  const ended = node.status === 'failed' ? 'failed' : 'done'
  const name = spanName(facts, signals.content)
  report(signals, entry, { name, from, ended, parent, place: at ?? entryPlace(parent, facts.position) })
}

export interface EntryAttempt {
  /** How often the step had failed before. */
  readonly attempt: number
  readonly at: SpanPlace
  readonly from: number
  /** Default: when its version was written. */
  readonly until?: number
  readonly ended: 'done' | 'failed' | 'lost'
}

/** One attempt of a step that had several, or whose worker was lost. */
export function reportEntryAttempt(
  signals: Signals,
  entry: TracedEntry,
  { attempt, at: place, ...rest }: EntryAttempt,
): void {
  const { facts, plan } = entry
  const parent = entryPlace(stepPlace(plan, facts.stepId), facts.position)
  const attributes = { 'agentm.function.attempt': attempt }
  report(signals, entry, { name: `attempt ${withoutIndex(facts.name)}`, place, parent, attributes, ...rest })
}

/** What the function had not been given when it ended: it lost a race, or the function was cancelled. `end` ended the function. */
export function reportGivenUp(signals: Signals, entry: TracedEntry, end: Node): void {
  const { node, facts, plan } = entry
  const parent = stepPlace(plan, facts.stepId)
  // A function that failed and is retried by hand may still be given it.
  const place = againPlace(entryPlace(parent, facts.position), end.version)
  const [from, until] = [facts.startedAt ?? node.createdAt, (node.status === 'withdrawn' ? node : end).createdAt]
  report(signals, entry, { name: spanName(facts, signals.content), from, until, ended: 'cancelled', place, parent })
}

/** What is only recorded takes no time, so it is an event of the attempt that wrote it. */
export function reportNote({ live, content }: Signals, { node, facts }: TracedEntry): void {
  const name = shownName(facts, content)
  const attributes = name === undefined ? {} : { 'agentm.function.name': name }
  live.get(facts.stepId)?.traced?.span.addEvent(`run.${facts.op}`, attributes, new Date(node.createdAt))
}

interface EntrySpan {
  readonly name: string
  readonly place: SpanPlace
  readonly parent: SpanPlace
  readonly from: number
  readonly until?: number
  readonly ended: 'done' | 'failed' | 'lost' | 'cancelled'
  readonly attributes?: Attributes
}

function report(
  signals: Signals,
  { node, facts }: TracedEntry,
  { until = node.createdAt, ended, attributes: more, ...span }: EntrySpan,
): void {
  const { places, content } = signals
  const { planId, stepId, op, position, childPlanId } = facts
  const name = shownName(facts, content)
  const attributes: Attributes = {
    'agentm.plan.id': planId,
    'agentm.step.id': stepId,
    'agentm.function.op': op,
    'agentm.function.position': position,
    'agentm.function.ended': ended,
    ...(name !== undefined && { 'agentm.function.name': name }),
    ...(childPlanId !== undefined && { 'agentm.child.plan.id': childPlanId }),
    ...more,
  }
  const links = childPlanId === undefined ? [] : [places.of(node.owner, childPlanId)]
  const error = ended === 'failed' ? faultOf(facts, content) : ended === 'lost' ? workerLost : undefined
  reportSpan(signals, { ...span, until, attributes, links, error })
}

const workerLost: Fault = { type: 'vanished', message: 'the process of its worker is gone' }

function faultOf({ failure }: EntryFacts, content: boolean): Fault {
  return { type: errorType(failure?.code ?? '_OTHER'), message: content ? failure?.message : undefined }
}

function spanName(facts: EntryFacts, content: boolean): string {
  const name = facts.op === 'ask' ? undefined : shownName(facts, content)
  return name === undefined ? `run.${facts.op}` : `run.${facts.op} ${withoutIndex(name)}`
}

/** Names of steps, signals and functions are part of the code. A question, a goal and a reason are texts. */
function shownName({ op, name, callsPlan }: EntryFacts, content: boolean): string | undefined {
  const isText = op === 'ask' || op === 'cancel' || (op === 'call' && callsPlan)
  return name === '' || (isText && !content) ? undefined : name
}

/** The names of spans should be few: the steps of a `map` share one. */
function withoutIndex(name: string): string {
  return name.replace(/\[\d+\]$/, '')
}
