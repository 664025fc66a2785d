/** Names below a directory that cannot be keys, each with the reason, so that a person learns which files the store ignores. */
import path from 'node:path'
import type { Locator } from '@agentm/storage-seam'
import type { FilePath } from './file-path.ts'
import { type FileSystem, nodeFileSystem } from './file-system.ts'
import { listNames, type Skipped } from './list-names.ts'

export interface UnusableNamesOptions {
  /** Decides by name which directories are searched. */
  readonly enter?: (name: string) => boolean
  readonly fs?: FileSystem
}

/**
 * Returns at most 100 names. Links are not followed, and directories that cannot be read are skipped.
 *
 * @example
 * ```ts
 * import { Locator } from '@agentm/storage-seam'
 * import { filePath, unusableNames } from '@agentm/vault-lock'
 *
 * for (const name of await unusableNames(filePath('/srv/vault'), new Locator(''))) console.log(name)
 * ```
 */
export async function unusableNames(
  root: FilePath,
  at: Locator,
  { enter = () => true, fs = nodeFileSystem }: UnusableNamesOptions = {},
): Promise<readonly Skipped[]> {
  const skipped: Skipped[] = []
  const directories: (readonly [FilePath, Locator])[] = [[root, at]]
  for (const [directory, place] of directories) {
    const names = await listNames(directory, place, { fs, onSkipped: (each) => skipped.push(each) }).catch(() => [])
    const stats = await fs.lstatAll(names.map((name) => path.join(directory, name))).catch(() => [])
    for (const [i, name] of names.entries())
      if (stats[i]?.isDirectory() === true && enter(name))
        directories.push([path.join(directory, name) as FilePath, place.child(name)])
    if (skipped.length >= most) break
  }
  return skipped.slice(0, most)
}

const most = 100
