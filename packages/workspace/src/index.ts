export { findProject } from './find-project.ts'
export { openStorage, type OpenedStorage, storageRequest } from './open-storage.ts'
export { readState, type StateQuestion, type StateText } from './read-state.ts'
export { routingWorld } from './routing-world.ts'
export { ensureStoreMarker, type StoreMarker } from './store-marker.ts'
export { workspaceWorld } from './workspace-world.ts'
export { EmbedderConfigError } from './embedder-config-error.ts'
export { LogBehindError, NodesPackageAbsentError } from './open-nodes.ts'
export { type OpenedMemory, openMemory } from './open-memory.ts'
export { configuredAgents, type AgentsContext, type ConfiguredAgents } from './configured-agents.ts'
export {
  checkModelSetting,
  checkPriced,
  type ConfiguredModel,
  configuredModel,
  UnpricedModelError,
} from './configured-model.ts'
export { ModelSettingsError } from './model-settings-error.ts'
export type { ConfiguredTools, ToolsFor } from './configured-tools.ts'
export { type ToolPolicy, toolPolicy } from './tool-policy.ts'
export { type ModelProbe, probeModel, type ProbeOptions } from './probe-model.ts'
export { probeTools, type ToolsProbe, type ToolsProbeOptions } from './probe-tools.ts'
export { allowedKinds } from './allowed-kinds.ts'
export type { HarnessPolicy } from './harness-policy.ts'
export { HarnessConfigError } from './harness-config-error.ts'
export { type KindContext, kindsOf, stepKindNames } from './kinds-of.ts'
export { type OpenedHarness, openHarness, type OpenHarnessOptions, type WorkerSettings } from './open-harness.ts'
export { hasNodeLog } from './has-node-log.ts'
export { isUntouched } from './is-untouched.ts'
export { openBeliefsReader, type OpenedBeliefsReader } from './open-beliefs-reader.ts'
export { openHarnessReader, type OpenedHarnessReader } from './open-harness-reader.ts'
export { nodeLogPlace, type OpenedNodeLog, openNodeLog, restoreNodeLog, ServerRestoreError } from './open-node-log.ts'
export { type OpenedPlanner, openPlanner, type OpenPlannerOptions } from './open-planner.ts'
export { readPlanTrace } from './read-plan-trace.ts'
export { ConsolidationConfigError, consolidationSchedule, consolidationSettings } from './consolidation-config.ts'
export {
  type ConsolidationOutcome,
  type KeepOptions,
  openConsolidation,
  type OpenConsolidationOptions,
  type OpenedConsolidation,
} from './open-consolidation.ts'
export { logConcepts } from './log-concepts.ts'
