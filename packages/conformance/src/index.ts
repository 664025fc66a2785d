export { backendContracts } from './backend-contracts.ts'
export type { Contract } from './contract.ts'
export { ContractBrokenError } from './contract-broken-error.ts'
export { fuzzKeys } from './fuzz-keys.ts'
export { fuzzLinks } from './fuzz-links.ts'
export { raceLinks } from './race-links.ts'
export { InMemoryBackend } from './in-memory-backend.ts'
export { InMemoryDerivedBackend } from './in-memory-derived-backend.ts'
export { pluginSubject } from './plugin-subject.ts'
export { registryContracts, type RegistryVerbs } from './registry-contracts.ts'
export { type ConformanceReport, runConformance } from './run-conformance.ts'
export {
  type ConformanceOptions,
  type MakeBackend,
  type ProcessOptions,
  runContract,
  type Verdict,
} from './run-contract.ts'
