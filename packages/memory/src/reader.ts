/** For programs that only read. No export here changes a store or an index. */
export type { BundleRequest } from './recall/bundle-memory.ts'
export type { BoundProject } from './bound-project.ts'
export { nodeReadings } from './nodes/node-readings.ts'
export type { MemoryOptions } from './memory-options.ts'
export { type MemoryReader, openMemoryReader } from './open-memory-reader.ts'
export type { CountedWord, Explanation, LeftOutResult, ResultReasons } from './recall/pure/explain.ts'
export { floors, type Floor } from './recall/pure/floor.ts'
export type {
  Freshness,
  LeftOut,
  MemoryAnswer,
  MemoryKind,
  RecallRequest,
  RecallResult,
} from './recall/recall-request.ts'
export type { Bundle } from './recall/pure/bundle.ts'
export { type Phase, phaseOf, phases } from './recall/pure/phase.ts'
