/** Everything below a directory as it is on disk, links unfollowed: what must be the same afterwards. */
import { readdir, readFile, readlink } from 'node:fs/promises'
import { join } from 'node:path'

export async function fileTree(root: string): Promise<ReadonlyMap<string, string>> {
  const tree = new Map<string, string>()
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isSymbolicLink()) tree.set(path, `link to ${await readlink(path)}`)
    else if (entry.isFile()) tree.set(path, `file ${(await readFile(path)).toString('base64')}`)
    else tree.set(path, 'directory')
  }
  return tree
}
