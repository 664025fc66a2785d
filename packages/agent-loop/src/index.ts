export type { LoopRuntime } from './loop/attempt-call.ts'
export { type Budget, createBudget, type Reservation } from './loop/budget.ts'
export type { Checkpoint } from './loop/checkpoint.ts'
export { createEffectLog, type EffectCall, type EffectLog, type EffectRecord } from './loop/effect-log.ts'
export { defaultLimits, defaultModelRetry, type InnerLoopOptions, type Limits } from './loop/inner-loop-options.ts'
export type { LoopObservation, Observe } from './loop/loop-observation.ts'
export type { Message, Model, ModelReply, ModelRequest, ReplyFormat, ToolCall, ToolSpec, Usage } from './loop/model.ts'
export { callSignature } from './loop/pure/call-signature.ts'
export { canonicalArgs } from './loop/pure/canonical-args.ts'
export { classifyError, type Classified, errorText } from './loop/pure/classify-error.ts'
export { effectKey, type EffectIdentity } from './loop/pure/effect-key.ts'
export type { Spend, SpendLimits } from './loop/pure/reserve.ts'
export { defaultRetryPolicy, retryDelay, type RetryPolicy } from './loop/pure/retry-delay.ts'
export { scopeTools } from './loop/pure/scope-tools.ts'
export { type StepOutcome, stepOutcome, type Stop, type StopReason, stopReasons, stopText } from './loop/pure/stop.ts'
export { type ContextWindow, tokensOf, trimContext, type Trimmed } from './loop/pure/trim-context.ts'
export {
  defaultLoopLimits,
  freshWatch,
  type LoopLimits,
  type LoopWatch,
  type ObservedCall,
  type Trip,
  watchLoop,
} from './loop/pure/watch-loop.ts'
export type { Answer, Question } from './question.ts'
export type { Ask } from './loop/ask.ts'
export { type LoopEnd, runInnerLoop } from './loop/run-inner-loop.ts'
export {
  defineTool,
  type Tool,
  type ToolAnswer,
  type ToolContext,
  type ToolDefinition,
  type ToolNature,
  type Verdict,
} from './loop/tool.ts'
export { type StructuredToolError, ToolError, type ToolErrorOptions, type ToolErrorType } from './loop/tool-error.ts'
export { type Runtime, systemRuntime } from './runtime.ts'
