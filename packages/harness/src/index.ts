export { type Budget, plan, type Plan } from './plan.ts'
export { isPlanOver, type PlanStatus } from './pure/plan-transitions.ts'
export { type StepStatus, stepTransitionAllowed } from './pure/step-transitions.ts'
export type { Answer, Question } from './question.ts'
export { type Failure, type RetryPolicy, step, type Step, type Wait } from './step.ts'
export {
  addUsage,
  type BudgetLimit,
  describeOverrun,
  findOverrun,
  noUsage,
  type Overrun,
  type Usage,
} from './pure/budget-verdict.ts'
export { type Action, nextActions, type Recovery } from './pure/next-actions.ts'
export { finishableSteps, planVerdict, type Verdict } from './pure/plan-verdict.ts'
export { countsOf, type Lost, type PlanView, type StepView, wholeView } from './pure/plan-view.ts'
export { afterFailure, type Aftermath, backoff, defaultRetry } from './pure/retry-time.ts'
export {
  assembleTrace,
  dispatchOrder,
  type Trace,
  type TraceEvent,
  type TraceStep,
} from './trace/pure/assemble-trace.ts'
export { renderTrace } from './trace/pure/render-trace.ts'
export { traceMetrics, type TraceMetrics } from './trace/pure/trace-metrics.ts'
export { readTrace, traceOf, type TraceAnswer, type TraceOptions } from './trace/read-trace.ts'
