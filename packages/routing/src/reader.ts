export { harnessStateDir, type StatePlace } from './harness-state-dir.ts'
export { isAvailable } from './is-available.ts'
export { listPlanFiles } from './list-plan-files.ts'
export { findStateMode } from './state-mode.ts'
export { type PlanPair, planPair } from './pure/plan-name.ts'
export type { Checkout, ProjectBinding } from './pure/project-binding.ts'
export type { Repo } from './pure/repos-document.ts'
export { slugObjection } from './pure/slug.ts'
export { noProject } from './no-project.ts'
export { queueStatus } from './queue-status.ts'
export { type Enablement, type ProjectEnablement, readEnablement } from './read-enablement.ts'
export { findRepo, readRepos } from './read-repos.ts'
export { readStateFile, type StateFile } from './read-state-file.ts'
export { type ActivePlan, findActiveBinding, resolveActivePlan } from './resolve-active-plan.ts'
export { type Project, type ProjectLayout, resolveProject } from './resolve-project.ts'
export {
  ActivePlanError,
  InvalidFileNameError,
  InvalidPlanNameError,
  InvalidSlugError,
  isRoutingError,
  OutsideCheckoutError,
  RegistryCorruptError,
  type RoutingError,
  type RoutingErrorCode,
  routingErrorCodes,
  SlugBoundError,
  UnreadableFileError,
} from './routing-errors.ts'
export type { RoutingWorld } from './routing-world.ts'
export { statePath, type StatePathQuestion } from './state-path.ts'
