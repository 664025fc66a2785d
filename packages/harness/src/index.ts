export { type CreatedPlan, type NewPlan, type NewStep, stepIdIn } from './create-plan.ts'
export { type Harness, type HarnessOptions, openHarness } from './harness.ts'
export { harnessConcepts } from './harness-concepts.ts'
export type { HarnessContext, PlanHead, StepHead, Who } from './harness-context.ts'
export {
  AgentUnavailableError,
  AnswerRefusedError,
  FencedError,
  HarnessError,
  type HarnessErrorCode,
  harnessErrorCodes,
  IdempotencyConflictError,
  InvalidPlanError,
  isHarnessError,
  PlanOpenError,
  PlanOverError,
  StepRefusedError,
} from './harness-errors.ts'
export { type Beat, type Beating, type Heartbeat, timerHeartbeat } from './heartbeat.ts'
export { agentKind, type AgentKindOptions, type TextPlace } from './kinds/agent-kind.ts'
export { approvalKind } from './kinds/approval-kind.ts'
export { commandKind, type CommandKindOptions } from './kinds/command-kind.ts'
export { type DefinedStep, defineStep, type StepShape } from './kinds/define-step.ts'
export { httpKind, type HttpKindOptions } from './kinds/http-kind.ts'
export { moduleKind, type ModuleKindOptions, type StepFunction } from './kinds/module-kind.ts'
export { stepInputs } from './kinds/step-inputs.ts'
export { type Budget, plan, type Plan } from './plan.ts'
export type { Reason } from './plan-control.ts'
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
export { observationUsage } from './pure/observation-usage.ts'
export { isPlanOver, type PlanStatus } from './pure/plan-transitions.ts'
export { finishableSteps, planVerdict, type Verdict } from './pure/plan-verdict.ts'
export { countsOf, type Lost, type PlanView, type StepView, wholeView } from './pure/plan-view.ts'
export { afterFailure, type Aftermath, backoff, defaultRetry } from './pure/retry-time.ts'
export { type StepStatus, stepTransitionAllowed } from './pure/step-transitions.ts'
export { DeadlineSignal, ShutdownSignal, UntrustedSignal } from './run-endings.ts'
export type { RunReport } from './run-claim.ts'
export { type Failure, type RetryPolicy, step, type Step, type Wait } from './step.ts'
export type { Erased } from './erase.ts'
export type { SchemaIssue, StandardSchema, Validated } from './standard-schema.ts'
export type { Answered } from './step-control.ts'
export type {
  Dependency,
  Nature,
  NewObservation,
  PlanEnding,
  RunBudget,
  StepFailure,
  StepKind,
  StepOutcome,
  StepRun,
} from './step-kind.ts'
export { beatInThread, threadHeartbeat, type ThreadHeartbeatOptions } from './thread-heartbeat.ts'
export type { Waiting } from './waiting-for.ts'
export { type Serving, servingOf } from './pure/serving.ts'
export { isFinalFault } from './pure/is-final-fault.ts'
export { startWorker, type Worker, type WorkerOptions } from './worker.ts'
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
export { effect, type Effect } from './effect.ts'
export { nodeEffectLog, type NodeEffectLogOptions } from './node-effect-log.ts'
export { checkThreshold, type EvalVerdict, type Threshold } from './eval/pure/check-threshold.ts'
export { type Expectation, type Fixture, fixtureOf } from './eval/pure/fixture.ts'
export { renderReport } from './eval/pure/render-report.ts'
export { type Score, scoreFixture } from './eval/pure/score-fixture.ts'
export { type EvalReport, runSuite } from './eval/run-suite.ts'
export { type Suite, suites } from './eval/suites.ts'
export type { Replay, ReplayedWave } from './replay/pure/compare-replay.ts'
export type { Cost, Outcome, Recipe, RecipeStep } from './replay/pure/recipe.ts'
export { type Recording, recordingOf } from './replay/pure/recording-of.ts'
export { type Simulated, simulatePlan } from './replay/pure/simulate-plan.ts'
export { readRecording, replayPlan } from './replay/replay-plan.ts'
export { agent, type Agent, type AgentHead } from './agents/agent.ts'
export { agentWithoutModel, resumeWithModel } from './agents/agent-without-model.ts'
export { type Assignment, assignmentOf } from './agents/assignment.ts'
