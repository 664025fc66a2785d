import type { MemoryOptions } from '@agentm/memory'

/** The thesaurus that comes with agentm. The package is loaded with the first memory, because most commands open none. */
export async function englishRelatives(): Promise<NonNullable<MemoryOptions['relatedWords']>> {
  return (await import('@agentm/embedder-static/related')).openRelatedWords()
}
