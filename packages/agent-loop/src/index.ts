export type { LoopRuntime } from './loop/attempt-call.ts'
export { type LoopBudget, createBudget, type Reservation } from './loop/budget.ts'
export type { Checkpoint } from './loop/checkpoint.ts'
export { createEffectLog, type EffectCall, type EffectLog, type EffectRecord } from './loop/effect-log.ts'
export { type InnerLoopOptions, type Limits } from './loop/inner-loop-options.ts'
export type { LoopObservation } from './loop/loop-observation.ts'
export type {
  Message,
  Model,
  ModelReply,
  ModelRequest,
  ReplyFormat,
  ToolCall,
  ToolSpec,
  TokenUsage,
} from './loop/model.ts'
export type { Spend, SpendLimits } from './loop/pure/reserve.ts'
export { type CallRetry } from './loop/pure/retry-delay.ts'
export { stepOutcome, type Stop } from './loop/pure/stop.ts'
export type { Answer, Question } from './question.ts'
export { type LoopEnd, runInnerLoop } from './loop/run-inner-loop.ts'
export {
  defineTool,
  type EarlierAnswer,
  type LoopScope,
  type Tool,
  type ToolAnswer,
  type ToolContext,
} from './loop/tool.ts'
export { ToolError, type ToolErrorType } from './loop/tool-error.ts'
export type { Program } from './programs/run-program.ts'
export type { Sandbox } from './programs/sandbox.ts'
export { type Runtime, systemRuntime } from './runtime.ts'
