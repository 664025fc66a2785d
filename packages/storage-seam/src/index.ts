export { type BackendPlugin, type BackendSettings, isBackendPlugin, seamMajor } from './backend-plugin.ts'
export { BackendRegistry, registry } from './backend-registry.ts'
export { Capabilities, type CapabilityName, capabilityNames, requireCapability } from './capabilities.ts'
export { type ConflictCopy, conflictCopy } from './conflict-copy.ts'
export { contentHash } from './content-hash.ts'
export type { DerivedMaintenance } from './derived-maintenance.ts'
export {
  ConcurrentModificationError,
  CorruptStoreMarkerError,
  CorruptTextError,
  DeviceFaultError,
  GrantRefusedError,
  InvalidLocatorError,
  InvalidTextError,
  isSeamError,
  NotAFileError,
  NotFoundError,
  OnlineOnlyError,
  OutsideStoreError,
  ProtocolError,
  SeamError,
  type SeamErrorCode,
  seamErrorCodes,
  StoreUnavailableError,
  UnsupportedCapabilityError,
} from './errors.ts'
export type { Info, ListedInfo, Listing } from './info.ts'
export { asLocator, isLocator, Locator } from './locator.ts'
export { normalizeKey } from './normalize-key.ts'
export type { PersonalGrant } from './personal-grant.ts'
export { type Change, checkUnchanged, StorageBackend, type WriteOptions } from './storage-backend.ts'
export { findStoreId, parseStoreMarker, storeMarkerKey } from './store-marker.ts'
export { Tier } from './tier.ts'
export { TierLayout } from './tier-layout.ts'
