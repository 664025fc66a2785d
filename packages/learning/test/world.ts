/** One memory in memory, and what its beliefs are published with, for one test. */
import { InMemoryBackend } from '@agentm/conformance'
import { createInMemoryStore, createInMemoryTables } from '@agentm/conformance/logs'
import { type MemoryOptions, observation, openMemory, semanticMemory } from '@agentm/memory'
import { Capabilities, storeMarkerKey } from '@agentm/storage-seam'

/** As a vault: another program replicates it, and leaves copies. */
export class SyncedBackend extends InMemoryBackend {
  override readonly capabilities: Capabilities = new Capabilities({
    conditionalWrite: true,
    removal: true,
    sync: true,
    conflictFiles: true,
  })
}

const conflictCopy = (name: string) => (/conflicted copy/.test(name) ? name : undefined)

export async function setup({ backend = new SyncedBackend(), ...more }: Partial<MemoryOptions> = {}) {
  let time = Date.UTC(2026, 2, 1, 12)
  const runtime = { now: () => time, random: () => 0.5 }
  const store = createInMemoryStore({ concepts: [observation, semanticMemory], runtime })
  const [storeId, owner] = ['store-1', 'ada']
  await backend.write(backend.resolve(storeMarkerKey), JSON.stringify({ id: storeId }))
  const { log, recall } = store
  const index = createInMemoryTables()
  const options = {
    backend,
    storeId,
    owner,
    index,
    recall,
    log,
    project: { slug: 'acme' },
    runtime,
    conflictCopy,
    ...more,
  }
  return {
    backend,
    store,
    options,
    memory: openMemory(options),
    publishing: { backend, storeId, owner, log, conflictCopy, now: runtime.now },
    tick: (ms: number) => (time += ms),
    read: async (key: string) => backend.read(backend.resolve(key)),
  }
}
