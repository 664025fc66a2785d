/** What `@agentm/planner` writes plans with, and nobody else: it changes without notice. @internal */
export { type PlanContent, planDrafts } from './create-plan.ts'
export { asPlan, asStep, readPlan, untilUncontested } from './harness-context.ts'
export { endingOf, versionsOf } from './plan-control.ts'
export { planUsage } from './plan-usage.ts'
export { agentName, observationName, planName, stepName } from './pure/concept-names.ts'
export { type ByHand, signed } from './pure/plan-drafts.ts'
export { type AgentHead, asAgent } from './agents/agent.ts'
export type { AgentStatus } from './agents/pure/agent-transitions.ts'
