export { backendContracts } from './backend-contracts.ts'
export type { Contract, Need, Unproven, World } from './contract.ts'
export { ContractBrokenError } from './contract-broken-error.ts'
export { fuzzKeys, type KeyFuzz, type KeyFuzzReport } from './fuzz-keys.ts'
export { fuzzLinks, type LinkFuzz, type LinkFuzzReport } from './fuzz-links.ts'
export { type LinkRace, type LinkRaceReport, raceLinks } from './race-links.ts'
export { InMemoryBackend } from './in-memory-backend.ts'
export { InMemoryDerivedBackend } from './in-memory-derived-backend.ts'
export { type PluginSubject, pluginSubject } from './plugin-subject.ts'
export { registryContracts, type RegistryVerbs } from './registry-contracts.ts'
export { type ConformanceReport, type ContractName, runConformance } from './run-conformance.ts'
export {
  type ConformanceOptions,
  type GrantPersonalWrite,
  type MakeBackend,
  type ProcessOptions,
  runContract,
  type Verdict,
} from './run-contract.ts'
