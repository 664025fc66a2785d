// @ts-check
/** The one-file copy of vault-lock, kept by `nx sync` as it changes with the sources it is made from. */
import { bundleVaultLock, vendored } from '../vendor-vault-lock.mjs'

/** @param {import('@nx/devkit').Tree} tree */
export default async function syncVendoredVaultLock(tree) {
  const code = await bundleVaultLock()
  if (code !== tree.read(vendored, 'utf8')) tree.write(vendored, code)
  return { outOfSyncMessage: `${vendored} is not what its sources make. Run: npm run vendor` }
}
