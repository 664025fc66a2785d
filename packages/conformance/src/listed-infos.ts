/** What a listing says of each child, and what asking for each says, in a form that can be compared. */
import { type Info, isSeamError, type Listing, Locator, type StorageBackend } from '@agentm/storage-seam'

export type Said = Omit<Info, 'locator'> | { readonly refusal: string }

export async function infosListed(backend: StorageBackend, key: string): Promise<readonly [string, Said][]> {
  return saidBy(await backend.listInfo(new Locator(key)))
}

export function saidBy({ children }: Listing): readonly [string, Said][] {
  return children.map((child) => [
    child.locator.key,
    'refusal' in child ? { refusal: child.refusal.code } : withoutPlace(child),
  ])
}

export async function infosAskedOneByOne(backend: StorageBackend, key: string): Promise<readonly [string, Said][]> {
  const asked: [string, Said][] = []
  for (const child of await backend.list(new Locator(key))) {
    try {
      const info = await backend.info(child)
      asked.push([info.locator.key, withoutPlace(info)])
    } catch (error) {
      if (!isSeamError(error)) throw error
      if (error.code !== 'NOT_FOUND') asked.push([child.key, { refusal: error.code }])
    }
  }
  return asked
}

function withoutPlace({ isDir, size, mtime, revision }: Info): Said {
  return { isDir, size, mtime, ...(revision === undefined ? {} : { revision }) }
}
