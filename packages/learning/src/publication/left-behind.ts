/**
 * The files that this device published, each with the content it last saw. They are recorded only on this device, because another
 * device cannot know what this one saw, and would treat files that replicate late as deleted.
 */
import type { Publication } from './publication.ts'
import type { LeftBehind } from './pure/belief-sync.ts'

export async function readLeftBehind(publication: Publication): Promise<Map<string, LeftBehind>> {
  const text = await publication.state?.read(stateKey(publication))
  return new Map(Object.entries(parsed(text)).flatMap(([id, value]) => (isLeftBehind(value) ? [[id, value]] : [])))
}

export async function writeLeftBehind(publication: Publication, left: ReadonlyMap<string, LeftBehind>): Promise<void> {
  await publication.state?.write(stateKey(publication), JSON.stringify(Object.fromEntries(left)))
}

function stateKey({ storeId, owner }: Publication): string {
  return `published-beliefs/${encodeURIComponent(storeId)}/${encodeURIComponent(owner)}`
}

/** Without it, absent files are not treated as deleted, so an unreadable file does not forget a belief. */
function parsed(text: string | undefined): object {
  try {
    const value: unknown = JSON.parse(text ?? '{}')
    return typeof value === 'object' && value !== null ? value : {}
  } catch (error) {
    if (error instanceof SyntaxError) return {}
    throw error
  }
}

function isLeftBehind(value: unknown): value is LeftBehind {
  return (
    typeof value === 'object' &&
    value !== null &&
    'key' in value &&
    typeof value.key === 'string' &&
    'hash' in value &&
    typeof value.hash === 'string'
  )
}
