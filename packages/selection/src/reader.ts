export { agentmHome } from './store-place.ts'
export { configFile, installPrefix } from './config-file.ts'
export { type InstallConfig, readConfiguredMode, readInstallConfig } from './install-config.ts'
export { lockRootOf } from './lock-root.ts'
export { previewStorage, type StoragePreview } from './preview-storage.ts'
export { chooseProtocol, type StorageChoice, type StorageOrigin, type StorageWishes } from './pure/choose-protocol.ts'
export {
  formatJson,
  JsonNumber,
  type JsonObject,
  JsonSyntaxError,
  jsonValue,
  type JsonValue,
  parseJson,
  plainJson,
} from './pure/json-document.ts'
export { parseCapabilities, type ParsedCapabilities, type RequiredCapabilities } from './pure/required-capabilities.ts'
export {
  findStoreRoot,
  resolveStorage,
  type SelectedStorage,
  type StorageRequest,
  type StorageResolution,
} from './resolve-storage.ts'
export { refuseForeignStore } from './refuse-foreign-store.ts'
export { selectBackend } from './select-backend.ts'
export { installationsOf, processWorld, readingConfigOnce, type SelectionWorld } from './selection-world.ts'
export {
  BackendNotInstalledError,
  CapabilityMismatchError,
  isStorageSelectionError,
  StorageSelectionError,
  type StorageSelectionReason,
} from './storage-selection-error.ts'
export { readPlainTextFile, readTextFile, type TextFile } from './text-file.ts'
