export {
  type Change,
  type Claimable,
  type ClaimedBy,
  type Concept,
  type ConceptDefinition,
  ConceptSet,
  defineConcept,
  type DependsOn,
  type Recallable,
  type Relation,
  reservedFields,
  readingConcept,
} from './concept.ts'
export {
  AbsentNodeError,
  CorruptNodeError,
  CorruptStoreError,
  GuardRefusedError,
  InvalidIdError,
  InvalidPayloadError,
  InvalidQueryError,
  InvalidVectorError,
  isNodesError,
  NodesError,
  type NodesErrorCode,
  nodesErrorCodes,
  OwnerRefusedError,
  RedactedNodeError,
  RelationRefusedError,
  SessionLostError,
  StoreBusyError,
  StoreClosedError,
  type StoreFault,
  StoreFaultError,
  StoreNewerError,
  UnknownConceptError,
  UnsafePlaceError,
  VersionConflictError,
} from './errors.ts'
export type { FeedEvent, Head, Node, Payload } from './node.ts'
export { composeId, deriveId, isConceptName, parseId } from './node-id.ts'
export type {
  AppendOptions,
  CheckReport,
  Draft,
  Durability,
  FeedOptions,
  FreedDraft,
  HistoryOptions,
  ItemVector,
  NodeLog,
  OwnerOption,
  Page,
  ScanQuery,
  StoreSize,
} from './node-log.ts'
export type { NodeStore, StoreRuntime } from './node-store.ts'
export { checkItem } from './pure/check-item.ts'
export { ceilingOutside, isCertified, type ListEnds, type WeightCeiling } from './pure/certificate.ts'
export { claimDraft } from './pure/claim-draft.ts'
export {
  type AppendDecision,
  decideAppend,
  isHeld,
  type KnownHead,
  type NewHead,
  type NewVersion,
  type Situation,
} from './pure/decide-append.ts'
export { fairPick, type FairPick, type PartitionQueue } from './pure/fair-pick.ts'
export { findCycle } from './pure/find-cycle.ts'
export { freedAppend, freeEach } from './pure/freed-append.ts'
export { foldFacts, type HeadFacts, isDone, isKeptCurrent, type RecallFacts } from './pure/fold-head.ts'
export { jsonText, type JsonText } from './pure/json-text.ts'
export { lexicalTerms, lexicalText } from './pure/lexical-text.ts'
export { mergeHits } from './pure/merge-hits.ts'
export { mergePayload } from './pure/merge-payload.ts'
export { mergeProvenance } from './pure/merge-provenance.ts'
export { packSegment, type PackedSegment, unpackSegment } from './pure/packed-segment.ts'
export {
  checkOwner,
  type NamedDraft,
  prepareAppend,
  type PreparedAppend,
  type PreparedDraft,
  relationsOf,
  targetsIn,
} from './pure/prepare-append.ts'
export {
  errorBound,
  quantizeQuery,
  type QuantizedQuery,
  quantizeRow,
  type QuantizedRow,
  rowBytes,
  writeRow,
} from './pure/quantize.ts'
export { recallArguments, saturatedWeights, type RecallArguments } from './pure/recall-arguments.ts'
export {
  byRank,
  defaultWeights,
  type Ranked,
  recallScore,
  type RecallSignals,
  type RecallWeights,
  recency,
} from './pure/recall-score.ts'
export { scopeWeights } from './pure/scope-weights.ts'
export { redactedPayload } from './pure/redacted-payload.ts'
export { findSecrets, type FoundSecret, redactFields, redactSecrets, redactValue } from './pure/secrets.ts'
export { redactionOf } from './pure/redaction-of.ts'
export { feedEvent, topicMatches, topicsOf } from './pure/topics.ts'
export { checkVector, dot, maxDimensions, unitVector } from './pure/vector.ts'
export type {
  Embedder,
  PendingItem,
  RecallAnswer,
  RecallEntry,
  RecallFilter,
  RecallHit,
  RecallItem,
  RecallQuery,
  RecallStore,
} from './recall-store.ts'
export { type QueryVector, resolveVector } from './resolve-vector.ts'
export { createSift, type Sift, siftBlock, type SiftKind, type Survivors } from './scan/sift.ts'
export { type Candidates, type ScopeWeights, type VectorFacts, VectorIndex, type VectorScope } from './vector-index.ts'
export type { Abandoned, Claim, Hold, PartitionLoad, Renewal, Session, TakeOptions, WorkLog } from './work-log.ts'
export { scanAll } from './scan-all.ts'
export { type HeadQuery, scanHeads } from './scan-heads.ts'
