/**
 * Settings that keep a plugin inside a directory made for one contract. The suite writes, kills processes and plants links, which must
 * never happen in a real store. So settings with an explicit root are refused.
 */
import { join } from 'node:path'
import type { BackendPlugin, BackendSettings } from '@agentm/storage-seam'

export class SettingsRefusedError extends Error {
  override readonly name = 'SettingsRefusedError'
  readonly code = 'SETTINGS_REFUSED'
}

export function placedSettings(plugin: BackendPlugin, settings: BackendSettings, directory: string): BackendSettings {
  const root = rootNames(plugin)[0]
  const given = root === undefined ? undefined : settings[root]
  if (root !== undefined && given !== undefined && !(typeof given === 'string' && given.startsWith('{directory}')))
    throw new SettingsRefusedError(
      `the settings name ${root} outright, and the suite would write into it. ` +
        'Leave it out, or begin it with {directory}, which becomes a fresh directory.',
    )
  const placed = Object.entries(settings).map(([name, value]) => [
    name,
    typeof value === 'string' ? value.replaceAll('{directory}', directory) : value,
  ])
  return { ...(root === undefined ? {} : { [root]: directory }), ...Object.fromEntries(placed) }
}

/** The directory where these settings store files; absent for a plugin without a directory. */
export function placedRoot(plugin: BackendPlugin, settings: BackendSettings): string | undefined {
  const parts = rootNames(plugin).flatMap((name) => {
    const value = settings[name]
    return typeof value === 'string' ? [value] : []
  })
  return parts.length === 0 ? undefined : join(...parts)
}

function rootNames({ rootSetting = [] }: BackendPlugin): readonly string[] {
  return typeof rootSetting === 'string' ? [rootSetting] : rootSetting
}
