export { type Concept, type ConceptDefinition, defineConcept, type Recallable } from './concept.ts'
export { AbsentNodeError, isNodesError, NodesError, type NodesErrorCode } from './errors.ts'
export type { FeedEvent, Head, Node, Payload } from './node.ts'
export { composeId, deriveId, parseId } from './node-id.ts'
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
  PrunedNode,
  PruneRefusal,
  PruneReport,
  ScanQuery,
  StoreSize,
} from './node-log.ts'
export type { NodeStore, StoreRuntime } from './node-store.ts'
export { saturatedWeights } from './pure/recall-arguments.ts'
export { byRank, recallScore, type RecallWeights, recency } from './pure/recall-score.ts'
export { findSecrets, redactFields, redactSecrets, redactValue } from './pure/secrets.ts'
export { dot, unitVector } from './pure/vector.ts'
export type {
  Embedder,
  PendingItem,
  RecallAnswer,
  RecallFilter,
  RecallHit,
  RecallQuery,
  RecallStore,
} from './recall-store.ts'
export type { ConcurrencyLimit, Flow, RateLimit } from './pure/flow.ts'
export type { Abandoned, FlowGate, SessionHold, Renewal, Session, TakeOptions, WorkLog } from './work-log.ts'
export { scanAll } from './scan-all.ts'
export { scanHeads } from './scan-heads.ts'
