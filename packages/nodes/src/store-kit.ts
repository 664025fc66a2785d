/**
 * The parts that every store implementation needs: the shared decisions, the vector scan, and their errors. Authors of stores import this;
 * users of stores import the package root.
 */
export { type ClaimedBy, ConceptSet, readingConcept } from './concept.ts'
export {
  CorruptNodeError,
  CorruptStoreError,
  InvalidQueryError,
  InvalidVectorError,
  SessionLostError,
  StoreBusyError,
  StoreClosedError,
  type StoreFault,
  StoreFaultError,
  StoreNewerError,
  UnsafePlaceError,
} from './errors.ts'
export { ceilingOutside, isCertified, type ListEnds, type WeightCeiling } from './pure/certificate.ts'
export { claimDraft } from './pure/claim-draft.ts'
export {
  type AppendDecision,
  decideAppend,
  isHeld,
  type KnownHead,
  type NewHead,
  type NewVersion,
} from './pure/decide-append.ts'
export { decidePrune, type PruneCandidate, type PruneDecision } from './pure/decide-prune.ts'
export { fairPick, type FairPick, type PartitionQueue } from './pure/fair-pick.ts'
export { agingMs, claimRank, gateOf, limitsIn } from './pure/flow.ts'
export { admit, type FlowUsage, gateRoom, gateStanding } from './pure/gate-room.ts'
export { findCycle } from './pure/find-cycle.ts'
export { freedAppend, freeEach } from './pure/freed-append.ts'
export { foldFacts, isDone, isKeptCurrent, type RecallFacts } from './pure/fold-head.ts'
export type { LogPlace, LogPlugin } from './log-plugin.ts'
export type { ByteRows, ByteTables, WritableByteRows } from './byte-tables.ts'
export { heaviest } from './pure/heaviest.ts'
export { lexicalTerms, lexicalText } from './pure/lexical-text.ts'
export { mergePayload } from './pure/merge-payload.ts'
export { mergeProvenance } from './pure/merge-provenance.ts'
export { packSegment, type PackedSegment, unpackSegment } from './pure/packed-segment.ts'
export { checkOwner, prepareAppend, type PreparedAppend, relationsOf, targetsIn } from './pure/prepare-append.ts'
export { errorBound, quantizeQuery, quantizeRow, type QuantizedRow, rowBytes, writeRow } from './pure/quantize.ts'
export { recallArguments, type RecallArguments } from './pure/recall-arguments.ts'
export { defaultWeights } from './pure/recall-score.ts'
export { scopeWeights } from './pure/scope-weights.ts'
export { redactedPayload } from './pure/redacted-payload.ts'
export { redactionOf } from './pure/redaction-of.ts'
export { feedEvent } from './pure/feed-event.ts'
export { checkVector } from './pure/vector.ts'
export { type QueryVector, resolveVector } from './resolve-vector.ts'
export { createSift, siftBlock } from './scan/sift.ts'
export { type Candidates, type ScopeWeights, type VectorFacts, VectorIndex, type VectorScope } from './vector-index.ts'
export type { Claim } from './work-log.ts'
