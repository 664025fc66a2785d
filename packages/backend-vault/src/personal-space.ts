/**
 * The person's own notes: everything in the outer vault except the store. Only one verb writes there, under the store's lock, and never
 * through links into the store.
 */
import { Capabilities, isSeamError, type Locator, StoreUnavailableError } from '@agentm/storage-seam'
import { DirectoryBackend, type DirectoryOptions, type FilePath, nodeFileSystem, realPath } from '@agentm/vault-lock'

export class PersonalSpace extends DirectoryBackend {
  override readonly capabilities = new Capabilities({ conditionalWrite: true })
}

/** Throws unless the store is strictly inside the personal root, because otherwise no file is certainly the person's own. */
export async function openPersonalSpace(
  personalRoot: FilePath,
  storeRoot: FilePath,
  options: DirectoryOptions,
): Promise<PersonalSpace> {
  const fs = options.fs ?? nodeFileSystem
  const [outer, inner] = await Promise.all([realPath(personalRoot, fs), realPath(storeRoot, fs)])
  if (!inner.startsWith(`${outer}/`) && !inner.startsWith(`${outer}\\`))
    throw new StoreUnavailableError(
      `plugins.obsidian-vault.personal_root is ${personalRoot}, and the store at ${storeRoot} is not below it. ` +
        'Set it to the vault that contains the store.',
    )
  return new PersonalSpace(personalRoot, {
    ...options,
    lockFor: storeRoot,
    exclude: [storeRoot],
    parentMustExist: true,
  })
}

/** The current text, to show a person what would be replaced; `undefined` if there is no file. */
export async function readPersonal(
  at: Locator,
  { personalRoot, storeRoot }: { readonly personalRoot: FilePath; readonly storeRoot: FilePath },
): Promise<string | undefined> {
  try {
    const space = await openPersonalSpace(personalRoot, storeRoot, {})
    return await space.read(at)
  } catch (error) {
    if (isSeamError(error, 'NOT_FOUND')) return undefined
    throw error
  }
}
