/**
 * The plugin that opens the configured log: a package that `nodes.plugins` names, else an installed package that declares itself,
 * never one of the directory being opened.
 */
import type { NodeStore } from '@agentm/nodes'
import type { LogPlace, LogPlugin } from '@agentm/nodes/store-kit'
import {
  declaredNames,
  declaredPlugin,
  doesProvide,
  type InstalledPlugin,
  loadPlugin,
  namedPlugins,
  type OpenedPlugin,
  type PluginFamily,
  pluginSettings,
} from '@agentm/selection/plugins'
import type { InstallConfig, SelectionWorld } from '@agentm/selection/reader'
import { LogPluginError } from './log-plugin-error.ts'
import { postgresProtocols } from './nodes-place.ts'

/** A plugin as plain data, which a thread can be given. */
export interface FoundLogPlugin {
  /** The package, for messages. */
  readonly from: string
  /** The module that exports it. */
  readonly entry: InstalledPlugin<LogPlugin>['entry']
  readonly settings: LogPlace['settings']
}

export interface LogPluginQuestion {
  readonly protocol: string
  readonly config: InstallConfig
  readonly world: SelectionWorld
}

/** `undefined`: no package opens such a log. */
export async function findLogPlugin(question: LogPluginQuestion): Promise<FoundLogPlugin | undefined> {
  const { protocol, config, world } = question
  const family = logs(config)
  for await (const named of namedPlugins(family, world))
    if (doesProvide(named, protocol, family)) return asData(named, config)
  const declared = await declaredPlugin(protocol, family, { world })
  return declared && asData(declared, config)
}

/** The error that lists the possible logs, found without loading packages that the user did not name. */
export async function unknownProtocol({ protocol, config, world }: LogPluginQuestion, place: string): Promise<Error> {
  const protocols = new Set(postgresProtocols)
  for await (const { plugin } of namedPlugins(logs(config), world))
    for (const each of plugin.protocols) protocols.add(each)
  for (const each of await declaredNames('log', world)) protocols.add(each)
  const urls = Array.from(protocols, (each) => `${each}://`)
  return new LogPluginError(
    `the log is configured to be at ${place}, and no installed plugin opens ${protocol}://. There are: a file, ${urls.join(', ')}. ` +
      'Install the package that opens it beside agentm (npm install --prefix ~/.claude NAME), or correct nodes.url.',
  )
}

/** Opens a log with the found plugin. An invalid result is reported as an error of the plugin. */
export async function openFound<S extends NodeStore | undefined>(
  found: FoundLogPlugin,
  {
    at,
    open,
  }: { readonly at: string; readonly open: (plugin: LogPlugin, settings: LogPlace['settings']) => Promise<S> },
): Promise<S> {
  const store = await useFound(found, { what: `open the log at ${at}`, use: open })
  if (store === undefined || isNodeStore(store)) return store
  throw new LogPluginError(
    `the plugin package ${found.from} opened something at ${at} that is no log. Update it, or correct nodes.url.`,
  )
}

/** Calls a plugin that was found. */
export async function useFound<R>(
  { from, entry, settings }: FoundLogPlugin,
  {
    what,
    use,
  }: { readonly what: string; readonly use: (plugin: LogPlugin, settings: LogPlace['settings']) => Promise<R> },
): Promise<R> {
  try {
    // What the module exports was looked at when it was found.
    return await use((await loadPlugin(entry)) as LogPlugin, settings)
  } catch (error) {
    if (error instanceof Error && 'code' in error && typeof error.code === 'string') throw error
    const why = error instanceof Error ? error.message : String(error)
    throw new LogPluginError(`the plugin package ${from} cannot ${what}: ${why}`, { cause: error })
  }
}

/** By shape, as with the plugin. */
function isNodeStore(store: NodeStore): boolean {
  const { log, work, recall, close } = store as Partial<NodeStore>
  return typeof close === 'function' && [log, work, recall].every((view) => typeof view === 'object' && view !== null)
}

function asData({ name, entry, plugin }: InstalledPlugin<LogPlugin>, { values }: InstallConfig): FoundLogPlugin {
  const { settingsKey } = plugin
  return { from: name, entry, settings: settingsKey === undefined ? {} : pluginSettings(settingsKey, values) }
}

function logs(config: InstallConfig): PluginFamily<LogPlugin> {
  return {
    field: 'log',
    noun: 'log',
    setting: 'nodes.plugins',
    named: config.values['nodes.plugins'] ?? [],
    provided: ({ protocols }) => protocols,
    open: async (exported) => understood(exported),
    refuse: ({ message, cause }) => new LogPluginError(message, { cause }),
  }
}

function understood(exported: unknown): OpenedPlugin<LogPlugin> {
  if (!isLogPlugin(exported)) return { ok: false, why: 'exports no log: `plugin` is missing or has another shape' }
  const contract: number = exported.contract
  if (contract === 1) return { ok: true, plugin: exported }
  return { ok: false, why: `is written for version ${contract} of the contract of logs, and this program knows 1` }
}

/** By shape: a plugin may bring its own copy of `nodes`. */
function isLogPlugin(value: unknown): value is LogPlugin {
  if (typeof value !== 'object' || value === null) return false
  const { contract, protocols, settingsKey, open, openReader } = value as Partial<LogPlugin>
  return (
    typeof contract === 'number' &&
    Array.isArray(protocols) &&
    protocols.every((each) => typeof each === 'string') &&
    (settingsKey === undefined || typeof settingsKey === 'string') &&
    typeof open === 'function' &&
    typeof openReader === 'function'
  )
}
