/** Names for other packages of this repository only; they may change in any release. @internal */
export { acceptingOnly } from './media/accepting-only.ts'
export { mediaOf, notAccepted } from './media/media-of.ts'
export {
  type MediaKind,
  type MediaPart,
  mediaPartSchema,
  type MediaPolicy,
  type MediaStore,
} from './media/media-part.ts'
export { mostBytes, mostOfConversation } from './media/pure/media-limits.ts'
export { mediaLine } from './media/pure/media-text.ts'
export { fingerprint } from './loop/pure/fingerprint.ts'
export { decisiveRefusals } from './loop/pure/call-tally.ts'
export { effectKey } from './loop/pure/effect-key.ts'
export { tokensOf } from './loop/pure/trim-context.ts'
export { freshWatch } from './loop/pure/watch-loop.ts'
export { ReplyAccount } from './loop/reply-account.ts'
export { minus, nothing, oneCall, plus } from './loop/pure/reserve.ts'
export { childEnvironment } from './programs/pure/child-environment.ts'
export { endProgram } from './programs/end-program.ts'
export { type Program, type ProgramEnd, runProgram } from './programs/run-program.ts'
export { probeSandbox, sandboxOf, type SandboxPlaces, type SandboxPolicy } from './programs/sandbox.ts'
export { whyNotStarted } from './programs/why-not-started.ts'
export { answerSchema, questionSchema } from './question.ts'
export { askedToWaitMs } from './pure/retry-after.ts'
