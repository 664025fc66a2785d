/**
 * What turns text into vectors: the static word table unless the config says otherwise. `embedder.provider` is `static`,
 * `none`, or `openai` for any endpoint of that kind (`embedder.url`, `embedder.model`, `embedder.dimensions`); its key comes
 * from the environment alone (`AGENTM_EMBEDDER_KEY`), its vectors are kept on this device.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { cachedEmbedder, type KeyedStore, type MemoryEmbedder, openEndpointEmbedder } from '@agentm/memory'
import type { InstallConfig, SelectionWorld } from '@agentm/selection/reader'

/** The config names an embedder that cannot be made. */
export class EmbedderConfigError extends Error {
  override readonly name = 'EmbedderConfigError'
  readonly code = 'EMBEDDER_CONFIG'
}

export async function configuredEmbedder(
  { values }: InstallConfig,
  { world, cache }: { readonly world: SelectionWorld; readonly cache: KeyedStore },
): Promise<MemoryEmbedder | undefined> {
  const provider = values['embedder.provider'] ?? 'static'
  if (provider === 'none') return undefined
  if (provider === 'static') return (await import('@agentm/embedder-static')).openStaticEmbedder()
  if (provider === 'openai') return cachedEmbedder(await openEndpoint(values, world), cache)
  throw new EmbedderConfigError(
    `embedder.provider is ${JSON.stringify(provider)}; it is static, none or openai. Set it: agentm config set embedder.provider static.`,
  )
}

async function openEndpoint(values: InstallConfig['values'], world: SelectionWorld): Promise<MemoryEmbedder> {
  const { 'embedder.url': url, 'embedder.model': model } = values
  const dimensions = Number(values['embedder.dimensions'])
  if (typeof url !== 'string' || typeof model !== 'string' || !Number.isInteger(dimensions) || dimensions < 1)
    throw new EmbedderConfigError(
      'embedder.provider is openai, which needs embedder.url, embedder.model and embedder.dimensions. Set them with agentm config set.',
    )
  const apiKey = world.env['AGENTM_EMBEDDER_KEY']
  const runtime = {
    now: Date.now,
    random: Math.random,
    newId: randomUUID,
    async sleep(ms: number, signal?: AbortSignal) {
      await sleep(ms, undefined, signal === undefined ? {} : { signal })
    },
  }
  return openEndpointEmbedder({ url, model, dimensions, runtime, ...(apiKey === undefined ? {} : { apiKey }) })
}
