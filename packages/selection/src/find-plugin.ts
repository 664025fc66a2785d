/**
 * The plugin for a protocol: registered by the program, else from a package the user names, else from a package that
 * declares itself. Nothing is searched or loaded unless the protocol is asked for, and nothing found stays registered.
 */
import { type BackendPlugin, type BackendRegistry, isBackendPlugin, seamMajor } from '@agentm/storage-seam'
import type { InstallConfig } from './install-config.ts'
import { loadPlugin } from './load-plugin.ts'
import { declaredPackages, findPackage, type PluginPackage } from './plugin-package.ts'
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
  const { protocol, registry } = question
  const registered = registry.get(protocol)
  if (registered !== undefined) return checkSeam(registered, `the registered backend "${protocol}"`)
  const found = (await findNamed(question)) ?? (await findDeclared(question))
  if (found !== undefined) return found
  throw protocol === 'vault' ? vaultNotInstalled() : unregistered(question)
}

/** The packages the user names. One that cannot be used is a refusal: it may be the one that was meant. */
async function findNamed({ protocol, config, world }: PluginQuestion): Promise<BackendPlugin | undefined> {
  for (const name of [...fromEnvironment(world), ...(config.values['storage.plugins'] ?? [])]) {
    const found = await findPackage(name, world)
    if (found === undefined) throw notInstalled(protocol, name)
    const plugin = await load(found)
    if (plugin.protocol === protocol) return plugin
  }
  return undefined
}

async function findDeclared({ protocol, world }: PluginQuestion): Promise<BackendPlugin | undefined> {
  // Named for the protocol, in our own scope: found without looking at every installed package.
  const ours = await findPackage(`@agentm/backend-${protocol}`, world)
  if (ours?.entry !== undefined) return await loadAs(protocol, ours)
  const candidates = (await declaredPackages(world)).filter((each) => (each.protocol ?? protocol) === protocol)
  const tried = await Promise.all(candidates.map((each) => attempt(each)))
  const fitting = tried.filter(({ plugin }) => plugin?.protocol === protocol)
  // One that fails counts only when it is, or may be, the one that is asked for.
  const failed = tried.find(
    ({ each, error }) => error !== undefined && (fitting.length === 0 || each.protocol !== undefined),
  )
  if (failed !== undefined) throw failed.error
  if (fitting.length > 1)
    throw ambiguous(
      protocol,
      fitting.map(({ each }) => each.name),
    )
  return fitting[0]?.plugin
}

interface Attempt {
  readonly each: PluginPackage
  readonly plugin?: BackendPlugin
  readonly error?: unknown
}

async function attempt(each: PluginPackage): Promise<Attempt> {
  try {
    return { each, plugin: await load(each) }
  } catch (error) {
    return { each, error }
  }
}

async function loadAs(protocol: string, from: PluginPackage): Promise<BackendPlugin> {
  const plugin = await load(from)
  if (plugin.protocol === protocol) return plugin
  throw unusable(from.name, `provides "${plugin.protocol}" and not "${protocol}"`)
}

async function load({ name, entry }: PluginPackage): Promise<BackendPlugin> {
  if (entry === undefined)
    throw unusable(name, 'declares no backend: its package.json has no "agentm": { "backend": … }')
  let plugin: unknown
  try {
    plugin = await loadPlugin(entry)
  } catch (error) {
    throw unusable(name, `cannot be loaded (${error instanceof Error ? error.message : String(error)})`, error)
  }
  if (!isBackendPlugin(plugin)) throw unusable(name, 'exports no backend: `plugin` is missing or has another shape')
  return checkSeam(plugin, `the package ${name}`)
}

function checkSeam(plugin: BackendPlugin, what: string): BackendPlugin {
  if (plugin.seam === seamMajor) return plugin
  throw new StorageSelectionError(
    `${what} is written for version ${plugin.seam} of the storage contract, and this program speaks ${seamMajor}. ` +
      'Install the release of the plugin that fits.',
    { reason: 'plugin' },
  )
}

function fromEnvironment(world: SelectionWorld): string[] {
  return (world.env.AGENTM_BACKEND_PLUGINS ?? '')
    .split(',')
    .map(strip)
    .filter((name) => name !== '')
}

function unusable(name: string, why: string, cause?: unknown): StorageSelectionError {
  return new StorageSelectionError(`the plugin package ${name} ${why}. Update it, or take it out of storage.plugins.`, {
    reason: 'plugin',
    cause,
  })
}

function ambiguous(protocol: string, names: readonly string[]): StorageSelectionError {
  return new StorageSelectionError(
    `${names.join(' and ')} both provide the storage backend "${protocol}". ` +
      'Say which one is meant: agentm config set storage.plugins NAME.',
    { reason: 'plugin' },
  )
}

function notInstalled(protocol: string, name: string): BackendNotInstalledError {
  return new BackendNotInstalledError(
    protocol,
    `the plugin package ${name} is named for storage and is not installed. Install it beside agentm ` +
      `(npm install -g ${name}), or take it out of storage.plugins and AGENTM_BACKEND_PLUGINS. ` +
      'The configured storage is never replaced by another in silence.',
  )
}

function vaultNotInstalled(): BackendNotInstalledError {
  return new BackendNotInstalledError(
    'vault',
    'the storage backend "vault" is selected, and its plugin is not installed. ' +
      'Install it (npm install -g @agentm/backend-vault), or name the package that provides it ' +
      '(agentm config set storage.plugins NAME), or choose to keep memory on this device ' +
      '(agentm config set storage.backend device-local). ' +
      'The configured storage is never replaced by another in silence.',
  )
}

function unregistered({ protocol, registry }: PluginQuestion): StorageSelectionError {
  const names = registry.protocols()
  return new StorageSelectionError(
    `the storage backend "${protocol}" is selected, and no installed plugin registers it. ` +
      `Registered: ${names.length === 0 ? '(none)' : names.join(', ')}. ` +
      'Install its plugin, or choose another: agentm config set storage.backend NAME.',
    { reason: 'unregistered' },
  )
}
