/**
 * What `selectBackend` would do here, as text for people. It never throws and never writes. The text of an error is the same as in
 * `selectBackend`.
 */
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { BackendPlugin } from '@agentm/storage-seam'
import type { StorageOrigin } from './pure/choose-protocol.ts'
import { resolveStorage, type StorageRequest } from './resolve-storage.ts'
import type { StorePlace } from './store-place.ts'
import { isErrno } from './text-file.ts'

/** What selection would do here, as text. */
export interface StoragePreview {
  readonly status: 'ok' | 'warn' | 'fail'
  /** The error message, or what is selected and why. */
  readonly text: string
  /** `text` on one line, for `doctor`. */
  readonly line: string
  /** The selected protocol; absent if selection fails. */
  readonly protocol?: string
}

/**
 * What `selectBackend` would do here, as text for people. It never throws and never writes.
 *
 * @example
 * ```ts
 * import { previewStorage } from '@agentm/selection'
 *
 * const { line } = await previewStorage({ world: { env: { MEMORY_VAULT_PATH: '/nowhere' }, home: '/home/ada', installations: [] } })
 * console.log(line.startsWith('storage')) // true
 * ```
 */
export async function previewStorage(request: StorageRequest = {}): Promise<StoragePreview> {
  const resolution = await resolveStorage(request)
  if (!resolution.ok) return preview('fail', messageOf(resolution.error))
  const { storage, plugin, place } = resolution
  const selected = `selected backend '${storage.protocol}' (${origins[storage.origin]})`
  const found = (status: 'ok' | 'warn', how: string) => ({
    ...preview(status, `${selected} — ${how}`),
    protocol: storage.protocol,
  })
  if (storage.backend.capabilities.sync) {
    const fault = place.root === undefined ? undefined : await writeFault(place.root)
    if (fault === undefined) return found('ok', synced(plugin, place))
    return found('warn', `${synced(plugin, place)}, where nothing can be written: ${fault}`)
  }
  if (place.root === undefined) return found('ok', 'registered')
  if ((await writeFault(place.root)) === undefined) return found('ok', `registered; root ${place.root} writable`)
  return found('warn', `registered, but root ${place.root} is not writable`)
}

const origins: Readonly<Record<StorageOrigin, string>> = {
  configured: 'configured (storage.backend)',
  environment: '$MEMORY_VAULT_PATH env override',
  legacy: 'configured (vault_path of an older installation; agentm config migrate rewrites it)',
  default: 'fresh-install default',
}

function synced({ settingsKey }: BackendPlugin, { root }: StorePlace): string {
  if (root === undefined) return 'registered'
  return `${settingsKey.replace(/^plugins\./, '')} plugin discoverable; seeded from ${root}`
}

function preview(status: StoragePreview['status'], text: string): StoragePreview {
  return { status, text, line: `storage [${status.toUpperCase()}] ${text}` }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Why the directory, or its nearest existing parent, cannot be written. */
async function writeFault(directory: string): Promise<string | undefined> {
  try {
    await access(directory, constants.W_OK)
    return undefined
  } catch (error) {
    const above = dirname(directory)
    if (isErrno(error, 'ENOENT') && above !== directory) return writeFault(above)
    return isErrno(error, 'EROFS')
      ? 'the disk is mounted read-only (EROFS). Mount it for writing'
      : `this user may not write there (${error instanceof Error && 'code' in error ? String(error.code) : 'no access'}). Correct the permissions`
  }
}
