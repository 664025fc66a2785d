/**
 * Finds a plugin by what it provides: in a package that the user names, otherwise in an installed package that declares itself. The
 * rules are the same for every family of plugins. plugin-package.ts decides where packages are searched.
 */
import type { FilePath } from '@agentm/vault-lock'
import { loadPlugin } from './load-plugin.ts'
import { declaredPackages, findPackage, type PluginField, type PluginPackage } from './plugin-package.ts'
import type { SelectionWorld } from './selection-world.ts'

/** One family of plugins: backends, logs, kinds of steps. */
export interface PluginFamily<P> {
  /** Its field of `agentm` in package.json, which names the module. */
  readonly field: PluginField
  /** The word for a plugin's offer in messages, such as `backend`. */
  readonly noun: string
  /** The setting that lists packages, for messages. */
  readonly setting: string
  /** Packages that the user names, in order. */
  readonly named: readonly string[]
  /** Checks the `plugin` export of a module. Returns the plugin, or what is wrong with it. */
  readonly open: (exported: unknown, from: PluginPackage) => Promise<OpenedPlugin<P>>
  /** What the plugin provides: protocols, or names of step kinds. */
  readonly provided: (plugin: P) => readonly string[]
  readonly refuse: (fault: PluginFault) => Error
}

export interface PluginFault {
  readonly why: 'not-installed' | 'unusable' | 'ambiguous'
  readonly message: string
  /** The package that is not installed. */
  readonly name?: string
  readonly cause?: unknown
}

/** A plugin that was opened, or why it could not be opened. */
export type OpenedPlugin<P> =
  | { readonly ok: true; readonly plugin: P }
  /** `why` comes after the name of the package in messages. */
  | { readonly ok: false; readonly why: string; readonly cause?: unknown }

/** A plugin that was found, with the package it comes from. */
export interface InstalledPlugin<P> {
  readonly name: string
  readonly entry: FilePath
  readonly plugin: P
}

/** The packages that the user names. A package that cannot be used is an error, because it may be the one that is needed. */
export async function* namedPlugins<P>(
  family: PluginFamily<P>,
  world: SelectionWorld,
): AsyncGenerator<InstalledPlugin<P>> {
  for (const name of family.named) {
    const found = await findPackage(name, family.field, world)
    if (found === undefined) throw notInstalled(name, family)
    yield await load(found, family)
  }
}

/** The package that declares itself and provides what is wanted. `ours` is its name in the scope of agentm. */
export async function declaredPlugin<P>(
  wanted: string,
  family: PluginFamily<P>,
  { world, ours }: { readonly world: SelectionWorld; readonly ours?: string },
): Promise<InstalledPlugin<P> | undefined> {
  // Found by name, without looking at every installed package.
  const own = ours === undefined ? undefined : await findPackage(ours, family.field, world)
  if (own?.entry !== undefined) return loadAs(wanted, own, family)
  const candidates = (await declaredPackages(family.field, world)).filter(
    ({ provides }) => provides?.includes(wanted) ?? true,
  )
  const tried = await Promise.all(candidates.map((each) => attempt(each, family)))
  const fitting = tried.flatMap(({ found }) => (found !== undefined && doesProvide(found, wanted, family) ? found : []))
  // A package that failed matters only if it may be the wanted one.
  const failed = tried.find(
    ({ each, error }) => error !== undefined && (fitting.length === 0 || each.provides !== undefined),
  )
  if (failed !== undefined) throw failed.error
  if (fitting.length > 1) throw ambiguous(wanted, fitting, family)
  return fitting[0]
}

/** What installed packages declare that they provide. No package is loaded. */
export async function declaredNames(field: PluginField, world: SelectionWorld): Promise<readonly string[]> {
  return (await declaredPackages(field, world)).flatMap(({ provides }) => provides ?? [])
}

/** Two plugins provide the same thing, and the config does not say which to use. */
export function ambiguous<P>(
  wanted: string,
  found: readonly Pick<InstalledPlugin<P>, 'name'>[],
  { noun, setting, refuse }: Pick<PluginFamily<P>, 'noun' | 'setting' | 'refuse'>,
): Error {
  const names = found.map(({ name }) => name).join(' and ')
  return refuse({
    why: 'ambiguous',
    message: `${names} both provide the ${noun} "${wanted}". Say which one is meant: agentm config set ${setting} NAME.`,
  })
}

/** Whether a plugin provides what is wanted. */
export function doesProvide<P>(
  { plugin }: InstalledPlugin<P>,
  wanted: string,
  { provided }: Pick<PluginFamily<P>, 'provided'>,
): boolean {
  return provided(plugin).includes(wanted)
}

interface Attempt<P> {
  readonly each: PluginPackage
  readonly found?: InstalledPlugin<P>
  readonly error?: unknown
}

async function attempt<P>(each: PluginPackage, family: PluginFamily<P>): Promise<Attempt<P>> {
  try {
    return { each, found: await load(each, family) }
  } catch (error) {
    return { each, error }
  }
}

async function loadAs<P>(wanted: string, from: PluginPackage, family: PluginFamily<P>): Promise<InstalledPlugin<P>> {
  const found = await load(from, family)
  if (doesProvide(found, wanted, family)) return found
  const provided = family.provided(found.plugin).map((each) => JSON.stringify(each))
  throw unusable(from.name, `provides ${provided.join(', ')} and not "${wanted}"`, family)
}

async function load<P>(from: PluginPackage, family: PluginFamily<P>): Promise<InstalledPlugin<P>> {
  const { name, entry } = from
  const { noun, field } = family
  if (entry === undefined)
    throw unusable(name, `declares no ${noun}: its package.json has no "agentm": { "${field}": … }`, family)
  let exported: unknown
  try {
    exported = await loadPlugin(entry)
  } catch (error) {
    throw unusable(name, `cannot be loaded (${textOf(error)})`, family, error)
  }
  const opened = await family.open(exported, from)
  if (!opened.ok) throw unusable(name, opened.why, family, opened.cause)
  return { name, entry, plugin: opened.plugin }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function notInstalled<P>(name: string, { noun, setting, refuse }: PluginFamily<P>): Error {
  return refuse({
    why: 'not-installed',
    name,
    message:
      `the plugin package ${name} is named in ${setting}, for a ${noun}, and is not installed. Install it beside agentm ` +
      `(npm install --prefix ~/.claude ${name}), or take it out of ${setting}.`,
  })
}

function unusable<P>(name: string, why: string, { setting, refuse }: PluginFamily<P>, cause?: unknown): Error {
  return refuse({
    why: 'unusable',
    message: `the plugin package ${name} ${why}. Update it, or take it out of ${setting}.`,
    cause,
  })
}
