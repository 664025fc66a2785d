/**
 * Memory over a directory of notes that only serves a measurement: the user's embedder and reranker, and nothing else of theirs. The index is in the
 * same directory, so that removing it removes everything.
 */
import path from 'node:path'
import { DeviceLocalBackend } from '@agentm/backend-device-local'
import { type Memory, type MemoryEmbedder, type MemoryOptions, openMemory } from '@agentm/memory'
import { type FilePath, filePath } from '@agentm/vault-lock'
import { configuredEmbedder } from './configured-embedder.ts'
import { englishRelatives } from './english-relatives.ts'
import { once } from './once.ts'
import { openDeviceTables } from './open-device-tables.ts'
import { processCache } from './process-cache.ts'
import { rerankingOf } from './reranking-of.ts'
import type { WorkspaceBase } from './workspace-base.ts'

/** Memory over a directory of notes that only serves a measurement. */
export interface Trial {
  readonly memory: Memory
  /** The name of the embedder; absent if there is none. */
  readonly embedder?: string
  /** The name of the reranker; absent if there is none. */
  readonly reranker?: string
  close(): Promise<void>
}

export interface TrialPlace {
  /** A directory of its own. `notes` in it is the root of a store with its marker, and the index is beside it. */
  readonly directory: FilePath
  /** The id in its marker. */
  readonly storeId: string
  /** Leaves out what the config names for meaning, so that words and time alone decide. */
  readonly wordsOnly?: boolean
  /** Takes the place of the configured embedder. */
  readonly embedder?: MemoryEmbedder
}

/**
 * Opens trials one after the other. They share one embedder, because loading it can take longer than a trial. Its vectors are not kept
 * among those of the user.
 */
export function trialsOf(base: WorkspaceBase): (place: TrialPlace) => Promise<Trial> {
  const cache = processCache()
  const configured = once(async () => configuredEmbedder(await base.config(), { world: base.world, cache }))
  const reranking = once(async () => rerankingOf((await base.config()).values, base.world))
  return async (place) => {
    if (place.wordsOnly === true) return openTrial(place, {})
    // An embedder is measured by itself.
    if (place.embedder !== undefined) return openTrial(place, { embedder: place.embedder })
    return openTrial(place, { embedder: await configured(), reranking: await reranking() })
  }
}

interface Models {
  readonly embedder?: MemoryEmbedder | undefined
  readonly reranking?: MemoryOptions['reranking']
}

async function openTrial({ directory, storeId }: TrialPlace, { embedder, reranking }: Models): Promise<Trial> {
  const index = await openDeviceTables(filePath(path.join(directory, 'index', 'notes.db')))
  const memory = openMemory({
    backend: new DeviceLocalBackend(filePath(path.join(directory, 'notes'))),
    storeId,
    owner: 'trial',
    index,
    // A slow moment of this machine must not leave notes out.
    scanBudgetMs: 60_000,
    relatedWords: await englishRelatives(),
    ...(embedder === undefined ? {} : { embedder }),
    ...(reranking === undefined ? {} : { reranking }),
  })
  return {
    memory,
    ...(embedder === undefined ? {} : { embedder: embedder.name }),
    ...(reranking === undefined ? {} : { reranker: reranking.reranker.name }),
    close: async () => index.close(),
  }
}
