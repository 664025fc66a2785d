export type { LoopRuntime } from './attempt-call.ts'
export { type Budget, createBudget, type Reservation } from './budget.ts'
export type { Checkpoint } from './checkpoint.ts'
export { createEffectLog, type EffectCall, type EffectLog, type EffectRecord } from './effect-log.ts'
export { defaultLimits, defaultModelRetry, type InnerLoopOptions, type Limits } from './inner-loop-options.ts'
export type { LoopObservation, Observe } from './loop-observation.ts'
export type { Message, Model, ModelReply, ModelRequest, ReplyFormat, ToolCall, ToolSpec, Usage } from './model.ts'
export { callSignature } from './pure/call-signature.ts'
export { canonicalArgs } from './pure/canonical-args.ts'
export { classifyError, type Classified, errorText } from './pure/classify-error.ts'
export { effectKey, type EffectIdentity } from './pure/effect-key.ts'
export type { Spend, SpendLimits } from './pure/reserve.ts'
export { defaultRetryPolicy, retryDelay, type RetryPolicy } from './pure/retry-delay.ts'
export { scopeTools } from './pure/scope-tools.ts'
export { type StepOutcome, stepOutcome, type Stop, type StopReason, stopReasons, stopText } from './pure/stop.ts'
export { type ContextWindow, tokensOf, trimContext, type Trimmed } from './pure/trim-context.ts'
export {
  defaultLoopLimits,
  freshWatch,
  type LoopLimits,
  type LoopWatch,
  type ObservedCall,
  type Trip,
  watchLoop,
} from './pure/watch-loop.ts'
export type { Answer, Question } from '../question.ts'
export type { Ask } from './ask.ts'
export { type LoopEnd, runInnerLoop } from './run-inner-loop.ts'
export {
  defineTool,
  type Tool,
  type ToolAnswer,
  type ToolContext,
  type ToolDefinition,
  type ToolNature,
  type Verdict,
} from './tool.ts'
export { type StructuredToolError, ToolError, type ToolErrorOptions, type ToolErrorType } from './tool-error.ts'
