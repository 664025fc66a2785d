/** The spans of plans, steps and attempts, from the versions of the log that begin and end them. */
import type { Node } from '@agentm/nodes'
import { type Attributes, type Context, ROOT_CONTEXT, type Span, trace, TraceFlags } from './otel-api.ts'
import { attemptEnd } from './pure/attempt-end.ts'
import { planFacts, stepFacts } from './pure/node-facts.ts'
import { agentProvider } from './pure/provider-of.ts'
import { againPlace, attemptPlace, type PlanOf, planPlace, type SpanPlace, stepPlace } from './pure/span-ids.ts'
import { markFailed, type Signals } from './signals.ts'

function planOf(step: Node): PlanOf {
  return { owner: step.owner, planId: stepFacts(step).planId }
}

export function startAttempt(signals: Signals, claim: Node): Span {
  const { kind, attempt, agent, session } = stepFacts(claim)
  const plan = planOf(claim)
  const provider = agentProvider(kind)
  const invoked = agent === undefined ? 'invoke_agent' : `invoke_agent ${agent}`
  const attributes: Attributes = {
    ...stepAttributes(claim, signals),
    'agentm.step.attempt': attempt,
    ...(session !== undefined && { 'agentm.worker.session': session }),
    ...(provider !== undefined && { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.provider.name': provider }),
    ...(provider !== undefined && agent !== undefined && { 'gen_ai.agent.name': agent }),
  }
  const span = { name: provider === undefined ? `attempt ${kind}` : invoked, from: claim.createdAt, attributes }
  return start(signals, span, attemptPlace(plan, claim.id, claim.version), stepPlace(plan, claim.id))
}

/** `node` is the version that ended the attempt, and `from` when its claim was made. */
export function endAttempt(
  signals: Signals,
  span: Span,
  { node, from }: { readonly node: Node; readonly from: number },
): void {
  const { ended, error } = attemptEnd(node, signals.content)
  span.setAttribute('agentm.step.ended', ended)
  const at = new Date(node.createdAt)
  if (error !== undefined) markFailed(span, error, at)
  span.end(at)
  const { kind } = stepFacts(node)
  signals.instruments.attempts((node.createdAt - from) / 1000, { 'agentm.step.kind': kind, 'agentm.step.ended': ended })
}

/** `isAgain`: it has ended before, and was continued by hand. */
export function reportStep(
  signals: Signals,
  node: Node,
  { from, isAgain = false }: { readonly from: number; readonly isAgain?: boolean },
): void {
  const plan = planOf(node)
  const first = stepPlace(plan, node.id)
  const attributes = { ...stepAttributes(node, signals), 'agentm.step.status': node.status ?? '' }
  const links = isAgain ? [first] : []
  const place = isAgain ? againPlace(first, node.version) : first
  const span = start(signals, { name: `step ${stepFacts(node).kind}`, from, attributes, links }, place, planPlace(plan))
  const { error } = attemptEnd(node, signals.content)
  const at = new Date(node.createdAt)
  if (error !== undefined) markFailed(span, error, at)
  span.end(at)
}

/** `from` is when its first step was claimed. */
export function reportPlan(signals: Signals, node: Node, from: number): void {
  const { goal, scheduleId } = planFacts(node)
  const place = planPlace({ owner: node.owner, planId: node.id })
  const attributes: Attributes = {
    'agentm.plan.id': node.id,
    'agentm.plan.status': node.status ?? '',
    'agentm.project': node.partition,
    ...(scheduleId !== undefined && { 'agentm.schedule.id': scheduleId }),
    ...(signals.content && { 'agentm.plan.goal': goal }),
  }
  const span = start(signals, { name: 'plan', from, attributes, links: linksOf(node) }, place, undefined)
  const at = new Date(node.createdAt)
  if (node.status === 'failed') markFailed(span, { type: 'plan_failed', message: undefined }, at)
  span.end(at)
  signals.instruments.plans((node.createdAt - from) / 1000, { 'agentm.plan.status': node.status ?? '' })
}

/** The step that started the plan, and the plan that it replaces. They have traces of their own. */
function linksOf(plan: Node): readonly SpanPlace[] {
  const { owner } = plan
  const { parentPlanId, parentStepId, follows } = planFacts(plan)
  const parent = parentPlanId === undefined ? undefined : { owner, planId: parentPlanId }
  return [
    ...(parent === undefined ? [] : [parentStepId === undefined ? planPlace(parent) : stepPlace(parent, parentStepId)]),
    ...(follows === undefined ? [] : [planPlace({ owner, planId: follows })]),
  ]
}

interface NewSpan {
  readonly name: string
  /** In epoch milliseconds. */
  readonly from: number
  readonly attributes: Attributes
  readonly links?: readonly SpanPlace[]
}

/** A span without a parent begins its trace. If the provider makes ids of its own, it is put into the trace as a child. */
function start(
  { ids, tracer }: Signals,
  { name, from, attributes, links = [] }: NewSpan,
  place: SpanPlace,
  parent: SpanPlace | undefined,
): Span {
  const above = parent ?? (ids.isInUse ? undefined : place)
  const options = { startTime: new Date(from), attributes, links: links.map((to) => ({ context: remote(to) })) }
  return ids.at(place, () => tracer.startSpan(name, options, above === undefined ? ROOT_CONTEXT : contextOf(above)))
}

function contextOf(place: SpanPlace): Context {
  return trace.setSpanContext(ROOT_CONTEXT, remote(place))
}

function remote({ traceId, spanId }: SpanPlace) {
  return { traceId, spanId, traceFlags: TraceFlags.SAMPLED, isRemote: true }
}

function stepAttributes({ id, payload, partition }: Node, { content }: Signals): Attributes {
  const { planId, kind, title } = stepFacts({ payload })
  return {
    'agentm.plan.id': planId,
    'agentm.step.id': id,
    'agentm.step.kind': kind,
    'agentm.project': partition,
    ...(content && { 'agentm.step.title': title }),
  }
}
