import { realpath } from 'node:fs/promises'
import path from 'node:path'
import { confinedPath, type Confinement } from '../confined-path.ts'

/** The file that a name means, and its one name: from the root, with `/`, without links. */
export async function confinedFile(
  confinement: Confinement,
  name: string,
): Promise<{ readonly at: string; readonly path: string }> {
  const at = await confinedPath(confinement, name)
  return {
    at,
    path: path
      .relative(await realpath(confinement.root), at)
      .split(path.sep)
      .join('/'),
  }
}
