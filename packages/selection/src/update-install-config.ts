/**
 * The one writer of the install config: read, change and replace as one step among all processes of this machine. Keys it
 * does not know stay, in their order; a file that cannot be understood is refused and left alone.
 */
import { realpath } from 'node:fs/promises'
import { atomicWrite, type FilePath, vaultMutex } from '@agentm/vault-lock'
import { configFile } from './config-file.ts'
import { readConfigDocument } from './install-config.ts'
import { lockRootOf } from './lock-root.ts'
import { formatJson, JsonNumber, type JsonObject } from './pure/json-document.ts'
import type { SelectionWorld } from './selection-world.ts'
import { isErrno } from './text-file.ts'

/** Answers whether anything changed; where nothing does, nothing is written. */
export async function updateInstallConfig(
  world: SelectionWorld,
  change: (document: JsonObject) => void,
): Promise<boolean> {
  const named = configFile(world)
  return await vaultMutex(
    named,
    async (hold) => {
      const document = (await readConfigDocument(named)) ?? new Map()
      const before = formatJson(document)
      change(document)
      if (formatJson(document) === before) return false
      document.set('schema_version', new JsonNumber('2'))
      // The settings name places and addresses of one person; nobody else on the machine needs to read them.
      await atomicWrite(await behindLinks(named), formatJson(document), { hold, mode: 0o600 })
      return true
    },
    { lockRoot: lockRootOf(world) },
  )
}

/** A config kept elsewhere and linked here is rewritten where it is kept. */
async function behindLinks(file: FilePath): Promise<FilePath> {
  try {
    return (await realpath(file)) as FilePath
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return file
    throw error
  }
}
