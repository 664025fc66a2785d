/** What a package exports that the user installed beside agentm: looked for where plugins are, never in the folder being worked in. */
import { access } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { installPrefix, type SelectionWorld } from '@agentm/selection/reader'

export type ImportedModule = Readonly<Record<string, unknown>>

export async function importInstalled(name: string, world: SelectionWorld): Promise<ImportedModule | undefined> {
  const entry = await findEntry(name, world)
  return entry === undefined ? undefined : ((await import(pathToFileURL(entry).href)) as ImportedModule)
}

export async function isInstalled(name: string, world: SelectionWorld): Promise<boolean> {
  return (await findEntry(name, world)) !== undefined
}

async function findEntry(name: string, world: SelectionWorld): Promise<string | undefined> {
  if (!/^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/.test(name)) return undefined
  for (const place of [installPrefix(world), ...world.installations]) {
    const manifest = path.join(place, 'node_modules', name, 'package.json')
    const isThere = await access(manifest).then(
      () => true,
      () => false,
    )
    // Resolved from within, so that nothing of a directory above is taken for it.
    if (isThere) return createRequire(path.join(place, 'node_modules', 'agentm.js')).resolve(name)
  }
  return undefined
}
