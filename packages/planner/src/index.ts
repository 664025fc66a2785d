export type { RecallForGoal } from './decompose-goal.ts'
export {
  type AssignedStep,
  type GoalRequest,
  openPlanner,
  type PlannedGoal,
  type Planner,
  type PlannerOptions,
} from './planner.ts'
export { type Lacking, lackingTools } from './pure/lacking-tools.ts'
export type { ToolFacts } from './pure/granted-tools.ts'
export { type Pursued, pursueGoal, type PursueOptions } from './pursue-goal.ts'
export { openRoster, type Roster } from './roster.ts'
