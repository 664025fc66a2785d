/** How an installation and its plans stand, and what helps. Names for the programs that show it; they may change in any release. @internal */
export { quickCheckUp, slowCheckUp, wholeCheckUp } from './health/check-up.ts'
export type { HealthRow, Help } from './health/health-row.ts'
export { healthText } from './health/pure/health-text.ts'
export {
  type FailedRow,
  latestPlanStates,
  openPlanStates,
  type PlanSource,
  type PlanState,
  type Todo,
  planState,
  type WaitingRow,
} from './health/plan-state.ts'
export { workersOf, type WorkerStanding } from './health/workers-of.ts'
export { answersOf } from './health/pure/answers-of.ts'
export { defaultAnswer } from './health/pure/default-answer.ts'
export { shellWord } from './health/pure/shell-word.ts'
export { shortId } from './health/pure/short-id.ts'
export { standstillOf } from './health/pure/standstill-of.ts'
export { type ShownReason, waitText } from './health/pure/wait-text.ts'
export { allowKinds } from './health/pure/what-helps.ts'
