/** Every text below a place, by key, in the order the backend lists them. */
import type { Locator, StorageBackend } from '@agentm/storage-seam'

export async function textsBelow(backend: StorageBackend, at: Locator): Promise<Map<string, string>> {
  const texts = new Map<string, string>()
  for (const child of await backend.list(at)) {
    const { isDir } = await backend.info(child)
    const found = isDir ? await textsBelow(backend, child) : [[child.key, await backend.read(child)] as const]
    for (const [key, text] of found) texts.set(key, text)
  }
  return texts
}
