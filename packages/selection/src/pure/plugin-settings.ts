/** The settings that a plugin gets: every key of the config below its prefix, without the prefix. */
import type { BackendSettings } from '@agentm/storage-seam'

/** The settings of a plugin: every key of the config below its prefix, without the prefix. */
export function pluginSettings(settingsKey: string, values: Readonly<Record<string, unknown>>): BackendSettings {
  const prefix = `${settingsKey}.`
  const own = Object.entries(values).filter(([key, value]) => key.startsWith(prefix) && value !== undefined)
  return Object.fromEntries(own.map(([key, value]) => [key.slice(prefix.length), value]))
}
