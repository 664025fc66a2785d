export type { RecallForGoal } from './decompose-goal.ts'
export {
  type Because,
  type GoalRequest,
  openPlanner,
  type PlannedGoal,
  type Planner,
  type PlannerOptions,
} from './planner.ts'
export { decompositionProblem, type ProposedStep } from './pure/decomposition.ts'
export type { Recalled } from './pure/decompose-prompt.ts'
export type { ToolFacts } from './pure/granted-tools.ts'
export { defaultStallLimits, type StallLimits } from './pure/progress-ledger.ts'
export { type Pursued, pursueGoal, type PursueOptions } from './pursue-goal.ts'
export { openRoster, type Roster } from './roster.ts'
