/** Conflict copies in a store: a sync program makes one when a file was changed in two places. Only a person can tell which is right. */
import { conflictCopy, type Locator, type StorageBackend } from '@agentm/storage-seam'

/** A conflict copy and its original, as locator keys. */
export interface ConflictPair {
  readonly copy: string
  readonly of: string
  /** The naming pattern by which the copy was recognised. */
  readonly family: string
}

export async function conflictPairs(backend: StorageBackend, directory: Locator): Promise<readonly ConflictPair[]> {
  const children = await backend.list(directory)
  const names = new Set(children.map(({ name }) => name))
  const here = children.flatMap((copy) => {
    const found = conflictCopy(copy.name, names)
    return found === undefined
      ? []
      : [{ copy: copy.key, of: directory.child(found.original).key, family: found.family }]
  })
  const below: ConflictPair[] = []
  for (const child of children)
    if (await isDirectory(backend, child)) below.push(...(await conflictPairs(backend, child)))
  return [...here, ...below]
}

/** A link out of the store is nobody's conflict copy, and is not followed. */
async function isDirectory(backend: StorageBackend, at: Locator): Promise<boolean> {
  try {
    return (await backend.info(at)).isDir
  } catch {
    return false
  }
}
