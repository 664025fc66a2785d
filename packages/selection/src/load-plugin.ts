/** The only place that runs code found on disk. The user named or installed every module that is loaded here. */
import { pathToFileURL } from 'node:url'
import type { FilePath } from '@agentm/vault-lock'

/** What the module at `entry` exports as `plugin`. */
export async function loadPlugin(entry: FilePath): Promise<unknown> {
  const module = (await import(pathToFileURL(entry).href)) as { readonly plugin?: unknown }
  return module.plugin
}
