/** The spans of plans, steps and attempts, from the versions of the log that begin and end them. */
import type { Node } from '@agentm/nodes'
import { reportSpan, startSpan } from './new-span.ts'
import type { Attributes, Span } from './otel-api.ts'
import { attemptEnd } from './pure/attempt-end.ts'
import { planFacts, stepFacts } from './pure/node-facts.ts'
import { agentProvider } from './pure/provider-of.ts'
import { againPlace, attemptPlace, type SpanPlace, stepPlace } from './pure/span-ids.ts'
import { markFailed, type Signals } from './signals.ts'

/** The span of a claim; `undefined` if the plan is not traced. */
export function startAttempt(signals: Signals, claim: Node): Span | undefined {
  const { planId, kind, attempt, agent, session, title } = stepFacts(claim)
  const plan = signals.places.of(claim.owner, planId)
  if (!plan.isTraced) return undefined
  const attributes: Attributes = {
    'agentm.plan.id': planId,
    'agentm.step.id': claim.id,
    'agentm.step.kind': kind,
    'agentm.step.attempt': attempt,
  }
  if (session !== undefined) attributes['agentm.worker.session'] = session
  if (signals.content) attributes['agentm.step.title'] = title
  const provider = agentProvider(kind, signals.providers)
  if (provider !== undefined) {
    attributes['gen_ai.operation.name'] = 'invoke_agent'
    attributes['gen_ai.provider.name'] = provider
    if (agent !== undefined) attributes['gen_ai.agent.name'] = agent
  }
  const invoked = agent === undefined ? 'invoke_agent' : `invoke_agent ${agent}`
  const name = provider === undefined ? `attempt ${kind}` : invoked
  const place = attemptPlace(plan, claim.id, claim.version)
  return startSpan(signals, { name, from: claim.createdAt, attributes, place, parent: stepPlace(plan, claim.id) })
}

export interface EndedAttempt {
  readonly span: Span | undefined
  readonly kind: string
  /** When its claim was made. */
  readonly from: number
}

/** `node` is the version that ended the attempt. */
export function endAttempt({ instruments, content }: Signals, { span, kind, from }: EndedAttempt, node: Node): void {
  const { ended, error } = attemptEnd(node, content)
  instruments.attempts((node.createdAt - from) / 1000, { 'agentm.step.kind': kind, 'agentm.step.ended': ended })
  if (span === undefined) return
  span.setAttribute('agentm.step.ended', ended)
  const at = new Date(node.createdAt)
  if (error !== undefined) markFailed(span, error, at)
  span.end(at)
}

/** `from` is when the step was claimed first; `isAgain`: it has ended before, and was retried by hand. */
export function reportStep(
  signals: Signals,
  node: Node,
  { from, isAgain = false }: { readonly from: number; readonly isAgain?: boolean },
): void {
  const { planId, kind, title } = stepFacts(node)
  const plan = signals.places.of(node.owner, planId)
  if (!plan.isTraced) return
  const first = stepPlace(plan, node.id)
  const attributes: Attributes = {
    'agentm.plan.id': planId,
    'agentm.step.id': node.id,
    'agentm.step.kind': kind,
    'agentm.step.status': node.status ?? '',
  }
  if (signals.content) attributes['agentm.step.title'] = title
  const at = { place: isAgain ? againPlace(first, node.version) : first, parent: plan }
  const { error } = attemptEnd(node, signals.content)
  const links = isAgain ? [first] : []
  reportSpan(signals, { name: `step ${kind}`, from, until: node.createdAt, attributes, error, links, ...at })
}

/** `from` is when its first step was claimed. */
export function reportPlan(signals: Signals, node: Node, from: number): void {
  const { instruments, places, content } = signals
  const status = node.status ?? ''
  instruments.plans((node.createdAt - from) / 1000, { 'agentm.plan.status': status })
  const place = places.of(node.owner, node.id)
  if (!place.isTraced) return
  const { goal, scheduleId } = planFacts(node)
  const attributes: Attributes = {
    'agentm.plan.id': node.id,
    'agentm.plan.status': status,
    'agentm.project': node.partition,
    ...(scheduleId !== undefined && { 'agentm.schedule.id': scheduleId }),
    ...(content && { 'agentm.plan.goal': goal }),
  }
  const error = node.status === 'failed' ? { type: 'plan_failed', message: undefined } : undefined
  const links = linksOf(signals, node)
  reportSpan(signals, { name: 'plan', from, until: node.createdAt, attributes, place, links, error })
}

/** The step that started the plan, and the plan that it replaces. They have traces of their own. */
function linksOf({ places }: Signals, { owner, payload }: Node): readonly SpanPlace[] {
  const { parentPlanId, parentStepId, follows } = planFacts({ payload })
  const parent = parentPlanId === undefined ? undefined : places.of(owner, parentPlanId)
  return [
    ...(parent === undefined ? [] : [parentStepId === undefined ? parent : stepPlace(parent, parentStepId)]),
    ...(follows === undefined ? [] : [places.of(owner, follows)]),
  ]
}
