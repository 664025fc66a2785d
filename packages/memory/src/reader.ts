/** For programs that only look: nothing exported here changes a store or an index. */
export type { BundleRequest } from './bundle-memory.ts'
export type { BoundProject } from './bound-project.ts'
export { nodeReadings } from './node-readings.ts'
export type { MemoryOptions } from './memory-options.ts'
export { type MemoryReader, openMemoryReader } from './open-memory-reader.ts'
export type { Freshness, MemoryAnswer, MemoryKind, RecallRequest, RecallResult } from './recall-request.ts'
export type { Bundle } from './pure/bundle.ts'
export { type Phase, phaseOf, phases } from './pure/phase.ts'
