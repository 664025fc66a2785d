/**
 * Packages that declare a plugin: `"agentm": { "backend": "./dist/index.js", "protocol": "vault" }` in their package.json, or `log`
 * with `protocols`, or `steps` with `kinds`. The second field is optional; it avoids loading a package that is not needed. Packages
 * are searched only in the `node_modules` of the install prefix and of the running installation. The current directory and the
 * opened project are never searched, because a cloned repository must not get its code run.
 */
import { readdir } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import type { FilePath } from '@agentm/vault-lock'
import { installPrefix } from './config-file.ts'
import { compareVersions } from './pure/compare-versions.ts'
import { isPackageName } from '@agentm/settings'
import type { SelectionWorld } from './selection-world.ts'
import { readTextFile } from './text-file.ts'

export interface PluginPackage {
  readonly name: string
  readonly version: string
  /** The module that exports `plugin`; absent if package.json declares none, or one outside the package. */
  readonly entry?: FilePath
  /** What it declares that it provides, known without loading it. */
  readonly provides?: readonly string[]
}

/** The fields of `agentm` in package.json: the module of a plugin, and the field for what it provides. */
const families = { backend: 'protocol', log: 'protocols', steps: 'kinds' } as const

export type PluginField = keyof typeof families

/** The newest installed package of that name. If versions are equal, the one in the install prefix is used. */
export async function findPackage(
  name: string,
  field: PluginField,
  world: SelectionWorld,
): Promise<PluginPackage | undefined> {
  if (!isPackageName(name)) return undefined
  const found = await Promise.all(
    placesOf(world).map((place) => readPackage(join(place, name) as FilePath, { name, field })),
  )
  return found
    .filter((each) => each !== undefined)
    .toSorted((a, b) => compareVersions(b.version, a.version))
    .at(0)
}

/** For each name, the newest installed package that declares a plugin of that field. */
export async function declaredPackages(field: PluginField, world: SelectionWorld): Promise<PluginPackage[]> {
  const names = await Promise.all(placesOf(world).map(installedNames))
  const found = await Promise.all([...new Set(names.flat())].toSorted().map((name) => findPackage(name, field, world)))
  return found.filter((each) => each?.entry !== undefined) as PluginPackage[]
}

function placesOf(world: SelectionWorld): FilePath[] {
  return [installPrefix(world), ...world.installations].map((place) => join(place, 'node_modules') as FilePath)
}

async function installedNames(place: FilePath): Promise<string[]> {
  const names = await readdir(place).catch(() => [])
  const scoped = await Promise.all(
    names
      .filter((name) => name.startsWith('@'))
      .map(async (scope) => {
        const inner = await readdir(join(place, scope)).catch(() => [])
        return inner.map((name) => `${scope}/${name}`)
      }),
  )
  return [...names, ...scoped.flat()].filter(isPackageName)
}

async function readPackage(
  directory: FilePath,
  { name, field }: { readonly name: string; readonly field: PluginField },
): Promise<PluginPackage | undefined> {
  const found = await readTextFile(join(directory, 'package.json') as FilePath)
  if (found.kind !== 'text') return undefined
  const { version, agentm } = parseManifest(found.text)
  const entry = entryOf(directory, agentm?.[field])
  const provides = namesIn(agentm?.[families[field]])
  return {
    name,
    version: typeof version === 'string' ? version : '0.0.0',
    ...(entry === undefined ? {} : { entry }),
    ...(provides === undefined ? {} : { provides }),
  }
}

function namesIn(declared: unknown): readonly string[] | undefined {
  if (typeof declared === 'string') return [declared]
  return Array.isArray(declared) ? declared.filter((each) => typeof each === 'string') : undefined
}

interface Manifest {
  readonly version?: unknown
  readonly agentm?: Readonly<Record<string, unknown>> | null
}

function parseManifest(text: string): Manifest {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    // All installed packages are read here, so one with an invalid package.json is skipped. It gives an error only when a setting
    // names it.
    return {}
  }
}

function entryOf(directory: FilePath, declared: unknown): FilePath | undefined {
  if (typeof declared !== 'string') return undefined
  const entry = join(directory, declared) as FilePath
  const way = relative(directory, entry)
  return way === '' || way === '..' || way.startsWith(`..${sep}`) ? undefined : entry
}
