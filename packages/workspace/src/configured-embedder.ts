/**
 * What turns text into vectors: the static word table unless the config says otherwise. `embedder.provider` is `static`,
 * `none`, `openai` for any endpoint of that kind (`embedder.url`, `embedder.model`, `embedder.dimensions`), or `package` for
 * one that is installed (`embedder.package`); a key comes from the environment alone (`AGENTM_EMBEDDER_KEY`), and what costs
 * something to make is kept on this device.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { MemoryEmbedder } from '@agentm/memory'
import type { VectorCache } from '@agentm/memory/embedders'
import type { InstallConfig, SelectionWorld } from '@agentm/selection/reader'
import { settings } from '@agentm/settings'
import { EmbedderConfigError } from './embedder-config-error.ts'

export async function configuredEmbedder(
  { values }: InstallConfig,
  { world, cache }: { readonly world: SelectionWorld; readonly cache: VectorCache },
): Promise<MemoryEmbedder | undefined> {
  const provider = values['embedder.provider'] ?? settings['embedder.provider'].default
  if (provider === 'none') return undefined
  if (provider === 'static') return (await import('@agentm/embedder-static')).openStaticEmbedder()
  const made = await (provider === 'openai' ? openEndpoint(values, world) : openPackage(values, world))
  const { cachedEmbedder, prefixedEmbedder, prefixesOf } = await import('@agentm/memory/embedders')
  const known = prefixesOf(values['embedder.model'] ?? '')
  const { 'embedder.queryPrefix': question = known.question, 'embedder.documentPrefix': document = known.document } =
    values
  const weight = values['embedder.weight'] ?? settings['embedder.weight'].default
  const near = values['embedder.near']
  const measured = near === undefined ? { weight } : { weight, near }
  return cachedEmbedder({ ...prefixedEmbedder(made, { question, document }), ...measured }, cache)
}

async function openEndpoint(values: InstallConfig['values'], world: SelectionWorld): Promise<MemoryEmbedder> {
  const { 'embedder.url': url, 'embedder.model': model, 'embedder.dimensions': dimensions } = values
  if (url === undefined || model === undefined || dimensions === undefined)
    throw new EmbedderConfigError(
      'embedder.provider is openai, which needs embedder.url, embedder.model and embedder.dimensions. To set one: agentm config set KEY VALUE',
    )
  const apiKey = world.env['AGENTM_EMBEDDER_KEY']
  const { openEndpointEmbedder } = await import('@agentm/memory/embedders')
  return openEndpointEmbedder({
    url,
    model,
    dimensions,
    runtime: embedderRuntime,
    ...(apiKey === undefined ? {} : { apiKey }),
  })
}

async function openPackage(values: InstallConfig['values'], world: SelectionWorld): Promise<MemoryEmbedder> {
  const { 'embedder.package': name, 'embedder.model': model, 'embedder.url': baseURL } = values
  if (name === undefined)
    throw new EmbedderConfigError(
      'embedder.provider is package, but embedder.package is not set. To set it: agentm config set embedder.package @ai-sdk/openai',
    )
  const apiKey = world.env['AGENTM_EMBEDDER_KEY']
  const { loadEmbedderPackage } = await import('./load-embedder-package.ts')
  return loadEmbedderPackage(
    {
      package: name,
      model,
      dimensions: Number(values['embedder.dimensions']),
      settings: { ...(apiKey !== undefined && { apiKey }), ...(baseURL !== undefined && { baseURL }) },
      runtime: embedderRuntime,
    },
    world,
  )
}

export const embedderRuntime = {
  now: Date.now,
  random: Math.random,
  newId: randomUUID,
  async sleep(ms: number, signal?: AbortSignal) {
    await sleep(ms, undefined, signal === undefined ? {} : { signal })
  },
}
