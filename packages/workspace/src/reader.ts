/** For programs that only look: nothing exported here changes a store, and nothing is made by being asked. */
export { phaseOf, phases } from '@agentm/memory/reader'
export { findProject } from './find-project.ts'
export { type MemoryReaderOptions, openMemoryReader, type OpenedMemoryReader } from './open-memory-reader.ts'
export { readState, type StateQuestion, type StateText } from './read-state.ts'
export { routingWorld } from './routing-world.ts'
export { workspaceWorld } from './workspace-world.ts'
