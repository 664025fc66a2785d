/** Writes and removes published files, but never a file that changed since it was read. */
import { isSeamError } from '@agentm/storage-seam'
import { editFrontmatter } from '@agentm/memory/notes'
import type { Publication } from './publication.ts'
import type { PublishedFile } from './published-files.ts'

/** `false` if the file changed meanwhile. The next run takes over that change first. */
export async function putFile(
  { backend }: Publication,
  key: string,
  { text, seen }: { readonly text: string; readonly seen: string | undefined },
): Promise<boolean> {
  const isConditional = backend.capabilities.conditionalWrite
  return unlessChanged(async () =>
    backend.write(backend.resolve(key), text, isConditional ? { ifHash: seen ?? null } : {}),
  )
}

/** If the backend cannot remove files, the file is marked as ended. */
export async function withdrawFile(publication: Publication, file: PublishedFile): Promise<boolean> {
  const { backend } = publication
  if (!backend.capabilities.removal) {
    const over = editFrontmatter('', { status: 'deleted', belief: '', owner: publication.owner })
    return file.text === over ? false : putFile(publication, file.key, { text: over, seen: file.hash })
  }
  const isConditional = backend.capabilities.conditionalWrite
  return unlessChanged(async () => backend.remove(file.at, isConditional ? { ifHash: file.hash } : {}))
}

async function unlessChanged(write: () => Promise<unknown>): Promise<boolean> {
  try {
    await write()
    return true
  } catch (error) {
    if (isSeamError(error, 'CONCURRENT_MODIFICATION') || isSeamError(error, 'NOT_FOUND')) return false
    throw error
  }
}
