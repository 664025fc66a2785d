/** One memory in memory, for one test. */
import { InMemoryBackend } from '@agentm/conformance'
import { createInMemoryStore, createInMemoryTables } from '@agentm/conformance/logs'
import { type MemoryOptions, observation, openMemory, semanticMemory } from '@agentm/memory'
import { openMemoryReader } from '@agentm/memory/reader'
import { Capabilities, type StorageBackend, storeMarkerKey } from '@agentm/storage-seam'

/** As a vault: another program replicates it, and leaves copies. */
export class SyncedBackend extends InMemoryBackend {
  override readonly capabilities: Capabilities = new Capabilities({
    conditionalWrite: true,
    removal: true,
    sync: true,
    conflictFiles: true,
  })
}

export const storeId = 'store-1'

export async function markStore(backend: StorageBackend, id = storeId): Promise<void> {
  await backend.write(backend.resolve(storeMarkerKey), JSON.stringify({ id }))
}

export async function setup({
  backend = new SyncedBackend(),
  start = Date.UTC(2026, 2, 1, 12),
  ...options
}: Partial<MemoryOptions> & { readonly start?: number } = {}) {
  let time = start
  const runtime = { now: () => time, random: () => 0.5 }
  const store = createInMemoryStore({ concepts: [observation, semanticMemory], runtime })
  await markStore(backend)
  const given: MemoryOptions = {
    backend,
    storeId,
    owner: 'ada',
    index: createInMemoryTables(),
    recall: store.recall,
    log: store.log,
    project: { slug: 'acme' },
    runtime,
    conflictCopy: (name) => (/conflicted copy/.test(name) ? name : undefined),
    ...options,
  }
  const at = (key: string) => backend.resolve(key)
  return {
    backend,
    store,
    options: given,
    /** Every row of the index, as text. */
    indexed: () => indexedIn(given),
    memory: openMemory(given),
    reader: openMemoryReader(given),
    tick: (ms: number) => (time += ms),
    read: async (key: string) => backend.read(at(key)),
    write: async (key: string, text: string) => backend.write(at(key), text),
    keys: async (text: string, more = {}) =>
      (await openMemory(given).recall({ text, ...more })).results.map(({ key, id }) => key ?? id),
  }
}

const tables = ['head', 'facts', 'terms', 'stretches', 'vectors', 'segments', 'lists', 'dead', 'postings']

function indexedIn({ index, owner, storeId: id }: MemoryOptions): readonly string[] {
  return index.read(JSON.stringify(['notes', owner, id]), (rows) =>
    tables.flatMap((table) =>
      Array.from(rows.range(table), ([row, bytes]) => `${table} ${row} ${Buffer.from(bytes).toString('latin1')}`),
    ),
  )
}
