/** Names for other packages of this repository only; they may change in any release. @internal */
export { fingerprint } from './loop/pure/fingerprint.ts'
export { effectKey } from './loop/pure/effect-key.ts'
export { minus, nothing, oneCall, plus } from './loop/pure/reserve.ts'
export { childEnvironment } from './programs/pure/child-environment.ts'
export { type ProgramEnd, runProgram } from './programs/run-program.ts'
export { whyNotStarted } from './programs/why-not-started.ts'
export { answerSchema, questionSchema } from './question.ts'
export { askedToWaitMs } from './pure/retry-after.ts'
