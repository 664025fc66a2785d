/** A store, a log and processes that use them, in a directory of the test's own. */
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DeviceLocalBackend } from '@agentm/backend-device-local'
import { consolidationCursor, syncBeliefs } from '@agentm/learning'
import { type MemoryOptions, observation, openMemory, semanticMemory, type SaveRequest } from '@agentm/memory'
import { openSqliteStore } from '@agentm/nodes-sqlite'
import { openSqliteTables } from '@agentm/nodes-sqlite/tables'
import { type BackendPlugin, storeMarkerKey } from '@agentm/storage-seam'
import { filePath } from '@agentm/vault-lock'

export interface Told {
  readonly saves: readonly SaveRequest[]
  readonly dieAt?: number
  readonly when?: 'before' | 'after'
}

export interface Ended {
  /** Keys of the saves that were acknowledged. */
  readonly saved: readonly string[]
  readonly calls: number
  readonly killed: boolean
  readonly errors: string
}

export type BackendName = 'device-local' | 'vault'

export async function memoryWorld(kind: BackendName = 'device-local') {
  const directory = await mkdtemp(path.join(tmpdir(), 'agentm-memory-'))
  const place = (name: string) => filePath(path.join(directory, name))
  const lockRoot = place('cache/agentm/locks')
  const local = new DeviceLocalBackend(place('store'), { lockRoot })
  await local.write(local.resolve(storeMarkerKey), JSON.stringify({ id: 'store-1' }))
  const backend = kind === 'device-local' ? local : await opened(kind, place('store'))
  const stores: { close(): Promise<void> }[] = []

  return {
    backend,
    file: place,
    /** Opens memory anew, as the next command does. */
    open: async (more: Partial<MemoryOptions> & { readonly db?: string } = {}) => {
      const store = await openSqliteStore({
        path: place(more.db ?? 'agentm.db'),
        concepts: [observation, semanticMemory, consolidationCursor],
      })
      const index = await openSqliteTables({ path: `${place(more.db ?? 'agentm.db')}.notes` })
      stores.push(store, index)
      const options = {
        backend,
        storeId: 'store-1',
        owner: 'ada',
        project: { slug: 'acme' },
        index,
        recall: store.recall,
        log: store.log,
      }
      const { deviceId = 'laptop' } = more
      const publishBeliefs = async () => void (await syncBeliefs({ ...options, deviceId }))
      return { store, index, memory: openMemory({ ...options, publishBeliefs, ...more }) }
    },
    run: async (told: Told): Promise<Ended> => {
      const script = path.join(import.meta.dirname, 'processes/memory-process.mjs')
      const given = JSON.stringify({ ...told, backend: kind, root: place('store'), db: place('agentm.db') })
      const child = spawn(process.execPath, [script, given], {
        env: { ...process.env, HOME: directory, XDG_CACHE_HOME: place('cache') },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      let [out, errors] = ['', '']
      child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
      child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
      const signal = await new Promise<NodeJS.Signals | null>((resolve) => child.on('close', (_, by) => resolve(by)))
      const lines = out
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as { key: string; calls: number })
      return {
        saved: lines.map(({ key }) => key),
        calls: lines.at(-1)?.calls ?? 0,
        killed: signal === 'SIGKILL',
        errors,
      }
    },
    close: async () => {
      for (const store of stores) await store.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** As workspaces open it: by its package's plugin. In this process it is only read, so its lock is not asked for. */
async function opened(kind: BackendName, root: string) {
  const { plugin } = (await import(`@agentm/backend-${kind}`)) as { plugin: BackendPlugin }
  return plugin.open({ vault_path: root })
}
