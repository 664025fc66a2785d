/** Embedders to compare: the one in use, and one behind an address that is tried before it is used. */
import type { KeyedStore, MemoryEmbedder } from '@agentm/memory'
import {
  cachedEmbedder,
  openEndpointEmbedder,
  prefixedEmbedder,
  type Prefixes,
  prefixesOf,
  type VectorCache,
} from '@agentm/memory/embedders'
import { type ConfigValues, settings } from '@agentm/settings'
import { configuredEmbedder, embedderRuntime } from './configured-embedder.ts'
import { probeVectors } from './probe-vectors.ts'
import { processCache } from './process-cache.ts'
import type { WorkspaceBase } from './workspace-base.ts'

/** An OpenAI-compatible embeddings endpoint. */
export interface WantedEndpoint {
  /** Such as `http://127.0.0.1:11434/v1`. */
  readonly url: string
  readonly model: string
  /** The length of its vectors (default: it is asked). */
  readonly dimensions?: number
  /** What stands in front of a question (default: what the model is known to want). */
  readonly questionPrefix?: string
  readonly documentPrefix?: string
}

/** An embedder that answered as it should. */
export interface TriedEmbedder {
  readonly embedder: MemoryEmbedder
  /** The same, with its vectors kept on this device, where they are found once it is configured. */
  readonly kept: MemoryEmbedder
  readonly prefixes: Prefixes
  /** How long it takes for a question, in milliseconds. */
  readonly questionMs: number
  /** The settings that make it the embedder in use; `undefined` for those to remove. */
  readonly settings: Readonly<Partial<ConfigValues>>
}

/** How the cosines of an embedder count, as measured on the user's notes. */
export interface MeasuredEmbedder {
  readonly weight: number
  /** From which cosine a note may answer without any common word. */
  readonly near: number
}

export interface Embedders {
  /** With the configured weight. Vectors are not kept. */
  inUse(): Promise<MemoryEmbedder | undefined>
  /** Throws if it does not answer, or not with vectors that tell texts apart. */
  at(wanted: WantedEndpoint): Promise<TriedEmbedder>
  /** What was measured for an embedder on this device. */
  measured(name: string): Promise<MeasuredEmbedder | undefined>
  keepMeasured(name: string, measured: MeasuredEmbedder): Promise<void>
}

export function openEmbedders(
  base: WorkspaceBase,
  { state, cache }: { readonly state: KeyedStore; readonly cache: VectorCache },
): Embedders {
  return {
    inUse: async () => configuredEmbedder(await base.config(), { world: base.world, cache: processCache() }),
    at: async (wanted) => tried(wanted, { base, cache }),
    measured: async (name) => parseMeasured(await state.read(measuredKey(name))),
    keepMeasured: async (name, measured) => state.write(measuredKey(name), JSON.stringify(measured)),
  }
}

function measuredKey(name: string): string {
  return `embedder-measured/${encodeURIComponent(name)}`
}

/** A text that this module did not write counts as absent. */
function parseMeasured(text: string | undefined): MeasuredEmbedder | undefined {
  try {
    const { weight, near } = JSON.parse(text ?? '{}') as Record<string, unknown>
    return typeof weight === 'number' && typeof near === 'number' ? { weight, near } : undefined
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined
    throw error
  }
}

async function tried(
  wanted: WantedEndpoint,
  { base, cache }: { readonly base: WorkspaceBase; readonly cache: VectorCache },
): Promise<TriedEmbedder> {
  const { url, model, dimensions } = wanted
  const apiKey = base.world.env['AGENTM_EMBEDDER_KEY']
  const key = apiKey === undefined ? {} : { apiKey }
  const length = dimensions === undefined ? {} : { dimensions }
  const made = await openEndpointEmbedder({ url, model, runtime: embedderRuntime, ...length, ...key })
  const known = prefixesOf(model)
  const prefixes = {
    question: wanted.questionPrefix ?? known.question,
    document: wanted.documentPrefix ?? known.document,
  }
  const embedder = { ...prefixedEmbedder(made, prefixes), weight: settings['embedder.weight'].default }
  const questionMs = await probeVectors(embedder)
  return {
    embedder,
    kept: cachedEmbedder(embedder, cache),
    prefixes,
    questionMs,
    settings: {
      'embedder.provider': 'openai',
      'embedder.url': url,
      'embedder.model': model,
      'embedder.dimensions': embedder.dimensions,
      'embedder.queryPrefix': wanted.questionPrefix,
      'embedder.documentPrefix': wanted.documentPrefix,
    },
  }
}
