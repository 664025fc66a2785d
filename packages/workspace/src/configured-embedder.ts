/** What turns text into vectors: the static word table, unless `embedder.provider` is `none`. */
import type { MemoryEmbedder } from '@agentm/memory'
import type { InstallConfig } from '@agentm/selection/reader'

/** The config names an embedder that cannot be made. */
export class EmbedderConfigError extends Error {
  override readonly name = 'EmbedderConfigError'
  readonly code = 'EMBEDDER_CONFIG'
}

export async function configuredEmbedder({ values }: InstallConfig): Promise<MemoryEmbedder | undefined> {
  const provider = values['embedder.provider'] ?? 'static'
  if (provider === 'none') return undefined
  if (provider === 'static') return (await import('@agentm/embedder-static')).openStaticEmbedder()
  throw new EmbedderConfigError(
    `embedder.provider is ${JSON.stringify(provider)}; it is static or none. Set it: agentm config set embedder.provider static.`,
  )
}
