/** The one place that runs code found on disk. What it is asked to load was named by the user, or installed by them. */
import { pathToFileURL } from 'node:url'
import type { FilePath } from '@agentm/vault-lock'

/** What the module at `entry` exports as `plugin`. */
export async function loadPlugin(entry: FilePath): Promise<unknown> {
  const module = (await import(pathToFileURL(entry).href)) as { readonly plugin?: unknown }
  return module.plugin
}
