/**
 * The directory of a backend's files, from the user's config and environment alone. It joins the settings that the plugin names in
 * `rootSetting`: the first is absolute, the others stay inside it. The joined directory is also the lock key.
 */
import { realpath, stat } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import type { BackendPlugin, BackendSettings } from '@agentm/storage-seam'
import type { FilePath } from '@agentm/vault-lock'
import { absolute } from './config-file.ts'
import type { InstallConfig } from './install-config.ts'
import { pluginSettings } from './pure/plugin-settings.ts'
import { strip } from '@agentm/settings'
import type { SelectionWorld } from './selection-world.ts'
import { StorageSelectionError } from './storage-selection-error.ts'
import { isErrno } from './text-file.ts'

export interface StorePlace {
  /** The options that the plugin is opened with: its own settings, and `root`, the joined directory, if it has one. */
  readonly settings: BackendSettings
  readonly root?: FilePath
  /** The outermost directory that contains `root`. agentm never creates it. */
  readonly base?: DirectoryNamed
  /** The config key with the store's id; absent if the environment names another store than the config. */
  readonly storeIdKey?: string
}

export async function placeStore(
  plugin: BackendPlugin,
  config: InstallConfig,
  world: SelectionWorld,
): Promise<StorePlace> {
  const settings = inFull(plugin, pluginSettings(plugin.settingsKey, config.values), world)
  const storeIdKey = `${plugin.settingsKey}.store_id`
  const [first, ...rest] = typeof plugin.rootSetting === 'string' ? [plugin.rootSetting] : (plugin.rootSetting ?? [])
  if (first === undefined) return { settings, storeIdKey }
  const question = { plugin, first, key: `${plugin.settingsKey}.${first}`, settings, config, world }
  const base = baseOf(question)
  const named = { path: base.path, protocol: plugin.protocol, key: question.key }
  if (roots[plugin.protocol]?.mustExist === true) await refuseAbsent(named)
  const root = await joinInside(base.path, rest, question)
  const found = { ...settings, [first]: base.path, root }
  if (!base.fromEnvironment || (await isConfigured(base.path, question)))
    return { settings: found, root, base: named, storeIdKey }
  // The id in the config belongs to the configured store, and this is another one.
  const { store_id: _, ...foreign } = found as BackendSettings & { readonly store_id?: unknown }
  return { settings: foreign, root, base: named }
}

/** A directory and the setting that names it, for error messages. */
export interface DirectoryNamed {
  readonly path: FilePath
  readonly protocol: string
  readonly key: string
}

/** Refuses a store whose root does not exist, because a drive that is not mounted must not look like an empty store. */
export async function refuseAbsent({ path, protocol, key }: DirectoryNamed): Promise<void> {
  const why = await stat(path).then(
    (found) => (found.isDirectory() ? undefined : 'is not a directory'),
    (error: unknown) => (isErrno(error, 'ENOENT') ? 'does not exist' : `cannot be reached (${String(error)})`),
  )
  if (why === undefined) return
  throw new StorageSelectionError(
    `the storage backend "${protocol}" is selected, but its directory ${path} ${why}. ` +
      `Mount or create it, or name another: agentm config set ${key} DIRECTORY.`,
    { reason: 'no-root' },
  )
}

interface Question {
  readonly plugin: BackendPlugin
  /** The setting that names the outermost directory, and its full key. */
  readonly first: string
  readonly key: string
  readonly settings: BackendSettings
  readonly config: InstallConfig
  readonly world: SelectionWorld
}

interface KnownRoot {
  readonly variable?: string
  readonly legacy?: boolean
  readonly mustExist?: boolean
  /** Other settings that name directories, or lists of them. */
  readonly directories?: readonly string[]
  fallback?(world: SelectionWorld): FilePath
}

/** What the environment and older installations say about the roots of the built-in backends. */
const roots: Readonly<Record<string, KnownRoot>> = {
  vault: {
    variable: 'MEMORY_VAULT_PATH',
    legacy: true,
    mustExist: true,
    directories: ['personal_root', 'allow_links'],
  },
  'device-local': {
    variable: 'AGENTM_DEVICE_LOCAL_ROOT',
    fallback: (world) => join(agentmHome(world), 'memory') as FilePath,
  },
}

/**
 * The directory of this user's data: the device-local store and the log.
 *
 * @example
 * ```ts
 * import { agentmHome } from '@agentm/selection'
 *
 * console.log(agentmHome({ env: {}, home: '/home/ada', installations: [] })) // /home/ada/.agentm
 * ```
 */
export function agentmHome(world: SelectionWorld): FilePath {
  const given = strip(world.env.AGENTM_HOME ?? '')
  return given === '' ? (resolve(world.home, '.agentm') as FilePath) : absolute(given, world, 'AGENTM_HOME')
}

/** Replaces `~` in directories, because a plugin does not know the home directory. */
function inFull(
  { protocol, settingsKey }: BackendPlugin,
  settings: BackendSettings,
  world: SelectionWorld,
): BackendSettings {
  const names = (roots[protocol]?.directories ?? []).filter((name) => name in settings)
  const spelledOut = (name: string, value: unknown): unknown => {
    if (Array.isArray(value)) return value.map((each) => spelledOut(name, each))
    const text = typeof value === 'string' ? strip(value) : ''
    return text === '' ? value : absolute(text, world, `${settingsKey}.${name}`)
  }
  return { ...settings, ...Object.fromEntries(names.map((name) => [name, spelledOut(name, settings[name])])) }
}

function baseOf(question: Question): { readonly path: FilePath; readonly fromEnvironment: boolean } {
  const { plugin, world, key } = question
  const known = roots[plugin.protocol]
  const fromEnvironment = strip((known?.variable === undefined ? undefined : world.env[known.variable]) ?? '')
  if (fromEnvironment !== '')
    return { path: absolute(fromEnvironment, world, known?.variable ?? ''), fromEnvironment: true }
  const path = configuredBase(question) ?? known?.fallback?.(world)
  if (path !== undefined) return { path, fromEnvironment: false }
  throw new StorageSelectionError(
    `the storage backend "${plugin.protocol}" is selected, but it has no directory. ` +
      `Name one: agentm config set ${key} DIRECTORY${known?.variable === undefined ? '' : `, or set ${known.variable}`}.`,
    { reason: 'no-root' },
  )
}

function configuredBase({ plugin, first, key, settings, config, world }: Question): FilePath | undefined {
  const own = directoryName(settings[first], key, config)
  if (own !== undefined) return absolute(own, world, key)
  if (roots[plugin.protocol]?.legacy !== true || config.values.vault_path === undefined) return undefined
  return absolute(config.values.vault_path, world, 'vault_path')
}

async function isConfigured(path: FilePath, question: Question): Promise<boolean> {
  const configured = configuredBase(question)
  return configured !== undefined && (await nearestReal(configured)) === (await nearestReal(path))
}

async function joinInside(base: FilePath, names: readonly string[], question: Question): Promise<FilePath> {
  const { plugin, settings, config } = question
  const parts = names.flatMap((name) => directoryName(settings[name], `${plugin.settingsKey}.${name}`, config) ?? [])
  const root = join(base, ...parts) as FilePath
  const climbs = parts.some((part) => isAbsolute(part) || part.split(/[/\\]/).includes('..'))
  if (climbs || !isInside(await nearestReal(base), await nearestReal(root)))
    throw new StorageSelectionError(
      `${config.file}: ${JSON.stringify(parts.join('/'))} does not stay inside ${base}, as the root of the storage backend ` +
        `"${plugin.protocol}" has to. Set ${names.map((name) => `${plugin.settingsKey}.${name}`).join(', ')} to a relative directory.`,
      { reason: 'no-root' },
    )
  return root
}

function directoryName(value: unknown, key: string, config: InstallConfig): string | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string') return strip(value) === '' ? undefined : strip(value)
  throw new StorageSelectionError(`${config.file}: "${key}" is ${JSON.stringify(value)}, which is not a directory.`, {
    reason: 'config',
  })
}

/** The real path of the existing part, followed by the rest unchanged. */
async function nearestReal(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    const above = dirname(path)
    if (above === path || !(isErrno(error, 'ENOENT') || isErrno(error, 'ENOTDIR'))) return path
    return join(await nearestReal(above), relative(above, path))
  }
}

function isInside(outer: string, inner: string): boolean {
  const way = relative(outer, inner)
  return way === '' || !(way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way))
}
