/** Small texts this device keeps for itself, below `AGENTM_HOME`; never in a store that is replicated. */
import { createHash, randomUUID } from 'node:crypto'
import path from 'node:path'
import { DeviceLocalBackend } from '@agentm/backend-device-local'
import type { KeyedStore } from '@agentm/memory'
import { agentmHome, type SelectionWorld } from '@agentm/selection/reader'
import { isSeamError, type StorageBackend } from '@agentm/storage-seam'
import { filePath } from '@agentm/vault-lock'

export function deviceState(world: SelectionWorld): KeyedStore {
  const backend = new DeviceLocalBackend(filePath(path.join(agentmHome(world), 'state')), { privateRoot: true })
  const at = (key: string) => backend.resolve(createHash('sha256').update(key).digest('hex'))
  return {
    read: (key) => readIfPresent(backend, at(key)),
    write: async (key, text) => void (await backend.write(at(key), text)),
    async remove(key) {
      try {
        await backend.remove(at(key))
      } catch (error) {
        if (!isSeamError(error, 'NOT_FOUND')) throw error
      }
    },
  }
}

/** Random, made once: it names this device in what it publishes, and nothing else. */
export async function deviceId(world: SelectionWorld): Promise<string> {
  const backend = new DeviceLocalBackend(agentmHome(world), { privateRoot: true })
  const made = await backend.update(backend.resolve('device-id'), (text) => text ?? `${randomUUID()}\n`)
  return (made ?? '').trim()
}

async function readIfPresent(
  backend: StorageBackend,
  at: ReturnType<StorageBackend['resolve']>,
): Promise<string | undefined> {
  try {
    return await backend.read(at)
  } catch (error) {
    if (isSeamError(error, 'NOT_FOUND')) return undefined
    throw error
  }
}
