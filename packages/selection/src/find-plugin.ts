/**
 * The plugin for a protocol: one that the program registered, otherwise one from a package that the user names, otherwise one from
 * an installed package that declares itself. Packages are searched only on demand, and a found plugin is not registered.
 */
import { type BackendPlugin, type BackendRegistry, isBackendPlugin, seamMajor } from '@agentm/storage-seam'
import type { InstallConfig } from './install-config.ts'
import { declaredPlugin, doesProvide, namedPlugins, type PluginFamily } from './installed-plugin.ts'
import { strip } from '@agentm/settings'
import type { SelectionWorld } from './selection-world.ts'
import { BackendNotInstalledError, StorageSelectionError } from './storage-selection-error.ts'

export interface PluginQuestion {
  readonly protocol: string
  readonly registry: BackendRegistry
  readonly config: InstallConfig
  readonly world: SelectionWorld
}

export async function findPlugin(question: PluginQuestion): Promise<BackendPlugin> {
  const { protocol, registry, world } = question
  const registered = registry.get(protocol)
  if (registered !== undefined) return checkSeam(registered, `the registered backend "${protocol}"`)
  const family = backends(question)
  for await (const named of namedPlugins(family, world)) if (doesProvide(named, protocol, family)) return named.plugin
  const declared = await declaredPlugin(protocol, family, { world, ours: `@agentm/backend-${protocol}` })
  if (declared !== undefined) return declared.plugin
  throw protocol === 'vault' ? vaultNotInstalled() : unregistered(question)
}

function backends({ protocol, config, world }: PluginQuestion): PluginFamily<BackendPlugin> {
  return {
    field: 'backend',
    noun: 'backend',
    setting: 'storage.plugins',
    named: [...fromEnvironment(world), ...(config.values['storage.plugins'] ?? [])],
    provided: (plugin) => [plugin.protocol],
    open: async (plugin, { name }) => {
      if (!isBackendPlugin(plugin))
        return { ok: false, why: 'exports no backend: `plugin` is missing or has another shape' }
      return { ok: true, plugin: checkSeam(plugin, `the package ${name}`) }
    },
    refuse: ({ why, message, name, cause }) => {
      if (why !== 'not-installed') return new StorageSelectionError(message, { reason: 'plugin', cause })
      return new BackendNotInstalledError(
        protocol,
        `the plugin package ${name} is named for storage and is not installed. Install it beside agentm ` +
          `(npm install --prefix ~/.claude ${name}), or take it out of storage.plugins and AGENTM_BACKEND_PLUGINS. ` +
          'The configured storage is never replaced by another in silence.',
      )
    },
  }
}

function checkSeam(plugin: BackendPlugin, what: string): BackendPlugin {
  if (plugin.seam === seamMajor) return plugin
  throw new StorageSelectionError(
    `${what} was written for version ${plugin.seam} of the storage contract, but this agentm uses version ${seamMajor}. ` +
      'Install a matching release of the plugin.',
    { reason: 'plugin' },
  )
}

function fromEnvironment(world: SelectionWorld): string[] {
  return (world.env.AGENTM_BACKEND_PLUGINS ?? '')
    .split(',')
    .map(strip)
    .filter((name) => name !== '')
}

function vaultNotInstalled(): BackendNotInstalledError {
  return new BackendNotInstalledError(
    'vault',
    'the storage backend "vault" is selected, and its plugin is not installed. ' +
      'Install it (npm install --prefix ~/.claude @agentm/backend-vault), or name the package that provides it ' +
      '(agentm config set storage.plugins NAME), or choose to keep memory on this device ' +
      '(agentm config set storage.backend device-local). ' +
      'The configured storage is never replaced by another in silence.',
  )
}

function unregistered({ protocol, registry }: PluginQuestion): StorageSelectionError {
  const names = registry.protocols()
  return new StorageSelectionError(
    `the storage backend "${protocol}" is selected, but no installed plugin provides it. ` +
      `Registered: ${names.length === 0 ? '(none)' : names.join(', ')}. ` +
      'Install its plugin, or choose another: agentm config set storage.backend NAME.',
    { reason: 'unregistered' },
  )
}
