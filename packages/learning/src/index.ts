export { type BeliefShelf, beliefShelf, type BeliefStory, type ShelvedBelief } from './beliefs/belief-shelf.ts'
export { consolidate } from './consolidation/consolidate.ts'
export type { ConsolidationOptions } from './consolidation/consolidation-context.ts'
export { consolidationCursor } from './consolidation/consolidation-cursor.ts'
export type {
  ClusterExplained,
  ConsolidationReport,
  ConsolidationRequest,
} from './consolidation/consolidation-report.ts'
export {
  type ConsolidationSettings,
  defaultSettings as consolidationDefaults,
} from './consolidation/consolidation-settings.ts'
export type { Distilled, Distiller, DistillRequest } from './distillers/distiller.ts'
export { extractiveDistiller } from './distillers/extractive-distiller.ts'
export { modelDistiller } from './distillers/model-distiller.ts'
export { isLearningError, LearningError, type LearningErrorCode } from './learning-errors.ts'
export type { Publication } from './publication/publication.ts'
export { type BeliefSync, syncBeliefs } from './publication/sync-beliefs.ts'
export { type DailySchedule, isTimeZone } from './schedule/daily-schedule.ts'
export { keepSchedule } from './schedule/keep-schedule.ts'
