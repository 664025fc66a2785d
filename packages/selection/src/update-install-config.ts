/**
 * Changes the install config: it is read, changed and replaced in one step among all processes of this machine. Unknown keys stay
 * in their order. An invalid file is refused and stays unchanged.
 */
import { realpath } from 'node:fs/promises'
import { atomicWrite, type FilePath, vaultMutex } from '@agentm/vault-lock'
import { configFile } from './config-file.ts'
import { readConfigDocument } from './install-config.ts'
import { lockRootOf } from './lock-root.ts'
import { formatJson, JsonNumber, type JsonObject } from './pure/json-document.ts'
import type { SelectionWorld } from './selection-world.ts'
import { isErrno } from './text-file.ts'

/** Returns whether anything changed. If not, no file is written. */
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
      // The settings contain private paths and addresses, so only the user may read them.
      await atomicWrite(await behindLinks(named), formatJson(document), { hold, mode: 0o600 })
      return true
    },
    { lockRoot: lockRootOf(world) },
  )
}

/** If the config is a symbolic link, its target is rewritten. */
async function behindLinks(file: FilePath): Promise<FilePath> {
  try {
    return (await realpath(file)) as FilePath
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return file
    throw error
  }
}
