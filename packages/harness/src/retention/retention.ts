/** Keeping a log small: choose what may leave it, and remove that while workers run. */
export { chooseGroups, type ChooseOptions, type Chosen, type ChosenRemoval } from './choose-groups.ts'
export type { LearningPosition } from './find-holds.ts'
export {
  decideRetention,
  type Group,
  type GroupMember,
  type KeepReason,
  type RetentionDecision,
  type RetentionHolds,
  type RetentionRule,
} from './pure/decide-retention.ts'
export type { LeavingNode, Removal } from './remove-nodes.ts'
export type { RetentionContext } from './retention-context.ts'
