/** Work kept apart: a git worktree for each step, and what they changed as one result. */
export { carryTrees } from './carry-trees.ts'
export { applyPlan, type Applied } from './apply.ts'
export { diffPlan, type PlanDiff } from './diff-plan.ts'
export { discardPlan, type LeftOver, leftOverTrees, removeLeftOver } from './discard.ts'
export { inTrees, type InTrees } from './in-trees.ts'
export { mergeKind } from './merge-kind.ts'
export { TreeConflictError, TreesError } from './tree-errors.ts'
export { openTrees, type Trees, type TreesOfPlan, type TreesOptions } from './trees.ts'
