export { agentmHome } from './store-place.ts'
export { configFile } from './config-file.ts'
export {
  adoptStoreId,
  findConfigValue,
  listConfigValues,
  migrateInstallConfig,
  setConfigValue,
  unsetConfigValue,
} from './config-value.ts'
export { type InstallConfig, readInstallConfig } from './install-config.ts'
export { lockRootOf } from './lock-root.ts'
export { previewStorage } from './preview-storage.ts'
export { chooseProtocol } from './pure/choose-protocol.ts'
export { parseCapabilities } from './pure/required-capabilities.ts'
export { findStoreRoot, resolveStorage, type SelectedStorage, type StorageResolution } from './resolve-storage.ts'
export { refuseForeignStore } from './refuse-foreign-store.ts'
export { selectBackend } from './select-backend.ts'
export { installationsOf, processWorld, type SelectionWorld } from './selection-world.ts'
export { isStorageSelectionError, StorageSelectionError } from './storage-selection-error.ts'
export { readTextFile } from './text-file.ts'
