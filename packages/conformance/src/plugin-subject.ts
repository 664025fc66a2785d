/** What the suite needs to know about a backend, taken from its plugin: how to open it fresh, and where its files are. */
import { mkdir } from 'node:fs/promises'
import type { BackendPlugin } from '@agentm/storage-seam'
import { placedRoot, placedSettings } from './placed-settings.ts'
import type { ConformanceOptions, MakeBackend, ProcessOptions } from './run-contract.ts'

export interface PluginSubject {
  readonly make: MakeBackend
  readonly options: ConformanceOptions
}

/**
 * `processes.module` must be the module that exports this plugin.
 *
 * @example
 * ```ts
 * import { plugin } from '@agentm/backend-device-local'
 * import { pluginSubject, runConformance } from '@agentm/conformance'
 *
 * const { make, options } = pluginSubject(plugin, { module: '@agentm/backend-device-local' })
 * const { failed } = await runConformance(make, options)
 * ```
 */
export function pluginSubject(plugin: BackendPlugin, processes: ProcessOptions): PluginSubject {
  const settingsIn = (directory: string) => placedSettings(plugin, processes.settings ?? {}, directory)
  const rootIn = (directory: string) => placedRoot(plugin, settingsIn(directory))
  const filesIn = rootIn('') === undefined ? {} : { filesIn: (directory: string) => rootIn(directory) ?? directory }
  return {
    make: async (directory) => {
      await mkdir(directory, { recursive: true })
      return plugin.open(settingsIn(directory))
    },
    options: { processes, ...filesIn },
  }
}
