// @ts-check
/** The two backends that keep files, opened as an install would open them. */

/** @typedef {import('@agentm/storage-seam').StorageBackend} StorageBackend */
/** @typedef {{ readonly plugin: import('@agentm/storage-seam').BackendPlugin }} PluginPackage */

export const storeKinds = /** @type {const} */ (['device-local', 'vault'])

/** @param {string} kind @param {string} root @returns {Promise<StorageBackend>} */
export async function openStore(kind, root) {
  /** @type {PluginPackage} */
  const { plugin } = await import(`@agentm/backend-${kind}`)
  const [first = 'root'] = [plugin.rootSetting ?? 'root'].flat()
  return plugin.open({ [first]: root })
}
