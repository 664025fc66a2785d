export { isCalibrated, type Thresholds, thresholdsOf, uncalibrated } from './pure/calibration.ts'
export { type Passage, passagesOf, windowsOf } from './pure/passages.ts'
export { analyzeNote, type AnalyzedNote, type CorpusStatistics } from './pure/rank-lexical.ts'
export { type Candidate, type Question, type Reranked, rerank } from './pure/rerank.ts'
export { type TimeSpan, timeSpans } from './pure/time-expressions.ts'
export { type Term, termsOf } from './pure/tokenize.ts'
export { Vocabulary } from './pure/vocabulary.ts'
export { type BeliefShelf, beliefShelf, type BeliefStory, type ShelvedBelief } from './beliefs/belief-shelf.ts'
export type { BeliefSync } from './beliefs/sync-beliefs.ts'
export type { BoundProject } from './bound-project.ts'
export { type CaptureRequest, type CaptureResult, checkCaptureRequest } from './capture-note.ts'
export { consolidate } from './consolidate/consolidate.ts'
export type { ConsolidationOptions } from './consolidate/consolidation-context.ts'
export type { ClusterExplained, ConsolidationReport, ConsolidationRequest } from './consolidate/consolidation-report.ts'
export {
  type ConsolidationSettings,
  defaultSettings as consolidationDefaults,
} from './consolidate/consolidation-settings.ts'
export {
  type BeliefKind,
  beliefKinds,
  type Distilled,
  type Distiller,
  type DistillRequest,
} from './consolidate/distiller.ts'
export type { DistillUsage, Spent } from './consolidate/pure/spent.ts'
export { extractiveDistiller } from './consolidate/extractive-distiller.ts'
export { isAddressedToReader } from './consolidate/pure/addressed-to-reader.ts'
export { statementDifference, type Difference } from './consolidate/pure/statement-difference.ts'
export { keepSchedule, type ScheduleOptions } from './consolidate/keep-schedule.ts'
export { type DailySchedule, isTimeZone, lastDue, nextDue, scheduleText } from './consolidate/daily-schedule.ts'
export { consolidationCursor } from './consolidation-cursor.ts'
export type { ForgetOptions, ForgetResult } from './forget-note.ts'
export type { KeyedStore } from './keyed-store.ts'
export type { MemoryEmbedder } from './memory-embedder.ts'
export {
  ConsolidationLostError,
  DistillerFailedError,
  EmbedderFailedError,
  IdempotencyConflictError,
  InvalidNoteError,
  isMemoryError,
  MemoryError,
  type MemoryErrorCode,
  memoryErrorCodes,
  NotForgettableError,
  NotRestorableError,
  NoteAbsentError,
  NoteNotActiveError,
  PersonNeededError,
  ProjectRefusedError,
  SecretFoundError,
  SlugTakenError,
  SourceTierError,
  StoreNotMarkedError,
  TierUnavailableError,
} from './memory-errors.ts'
export type { NoteVersion } from './note-history.ts'
export { observation } from './observation.ts'
export { type FieldValue, type Frontmatter, readFrontmatter, editFrontmatter } from './pure/frontmatter.ts'
export { formatNote, type NewNote } from './pure/format-note.ts'
export type { Note } from './pure/note.ts'
export { parseNote } from './pure/parse-note.ts'
export {
  type Author,
  dataNotice,
  marked,
  oneLine,
  quoted,
  type ShownEntry,
  shownEntry,
  shownId,
  type ShownItem,
  shownName,
  shownOnOneLine,
  sourceOf,
  visible,
} from './pure/shown.ts'
export { isSlug, slugFor } from './pure/slug.ts'
export { titleIn } from './pure/title-in.ts'
export type { ListedNote, NotesRequest } from './list-notes.ts'
export { checkRequest as checkSaveRequest, type SaveRequest, type SaveResult, type SimilarNote } from './save-note.ts'
export type { RestoreOptions, RestoreResult } from './restore-note.ts'
export { semanticMemory } from './semantic-memory.ts'
export type { SupersedeRequest, SupersedeResult } from './supersede-note.ts'
export type { EmbedOptions, EmbedReport } from './embed-pending.ts'
export type { ConflictCopyOf } from './memory-context.ts'
export type { OfferOptions, OfferPreview, OfferResult } from './offer-save.ts'
export { KnownAnalyses } from './known-analyses.ts'
export type { MemoryOptions } from './memory-options.ts'
export type { AcceptOptions, CandidateChange, InboxAnswer, RejectResult } from './inbox.ts'
export type { InboxCandidate } from './pure/candidate.ts'
export { type Inbox, type Memory, openMemory } from './open-memory.ts'
export { type MemoryReader, openMemoryReader } from './open-memory-reader.ts'
export type { LintCheck, LintFinding, LintReport } from './pure/lint-note.ts'
export { isNoteId, noteId } from './pure/note-id.ts'
export { offerDecision, type OfferMode } from './pure/offer-decision.ts'
export { floors, type Floor } from './pure/floor.ts'
export type { Freshness, LeftOut, MemoryAnswer, MemoryKind, RecallRequest, RecallResult } from './recall-request.ts'
export type { BundleRequest } from './bundle-memory.ts'
export { cachedEmbedder } from './embedders/cached-embedder.ts'
export { type EndpointOptions, openEndpointEmbedder } from './embedders/endpoint-embedder.ts'
export { energeticEmbedder, type EnergeticModel } from './embedders/energetic-embedder.ts'
export { type EmbeddingModelLike, modelEmbedder, type ModelEmbedderOptions } from './embedders/model-embedder.ts'
export type { Bundle } from './pure/bundle.ts'
export { type Phase, phaseOf, phases } from './pure/phase.ts'
