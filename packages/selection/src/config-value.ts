/**
 * Reads and writes single settings by the names that people use. `vault_path` stands for the plugin's key and for the key of older
 * programs.
 */
import { realpath, stat } from 'node:fs/promises'
import { absolute, configFile } from './config-file.ts'
import { readConfigDocument } from './install-config.ts'
import { type JsonObject, jsonValue, plainJson } from './pure/json-document.ts'
import { findSetting, namesOf, parseSetting, strip, valueFromText } from '@agentm/settings'
import type { SelectionWorld } from './selection-world.ts'
import { updateInstallConfig } from './update-install-config.ts'

/** The value is not allowed for this setting. */
export class ConfigValueError extends Error {
  override readonly name = 'ConfigValueError'
  readonly code = 'CONFIG_VALUE'
  readonly key: string
  constructor(key: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.key = key
  }
}

const vaultPath = 'plugins.obsidian-vault.vault_path'
const legacyVaultPath = 'vault_path'

/**
 * The stored value; `undefined` if there is none.
 *
 * @example
 * ```ts
 * import { findConfigValue, processWorld } from '@agentm/selection'
 *
 * const owner = await findConfigValue('owner', processWorld())
 * ```
 */
export async function findConfigValue(key: string, world: SelectionWorld): Promise<unknown> {
  const document = await readConfigDocument(configFile(world))
  const found = namesOf(key).find((name) => document?.has(name) === true)
  return found === undefined ? undefined : plainJson(document?.get(found) ?? null)
}

/**
 * Every setting, in the order of the file.
 *
 * @example
 * ```ts
 * import { listConfigValues, processWorld } from '@agentm/selection'
 *
 * for (const [key, value] of await listConfigValues(processWorld())) console.log(key, value)
 * ```
 */
export async function listConfigValues(world: SelectionWorld): Promise<ReadonlyArray<readonly [string, unknown]>> {
  const document = await readConfigDocument(configFile(world))
  return [...(document ?? [])].map(([key, value]) => [key, plainJson(value)])
}

/**
 * Returns whether the config changed.
 *
 * @example
 * ```ts
 * import { findConfigValue, setConfigValue } from '@agentm/selection'
 * import { mkdtemp } from 'node:fs/promises'
 * import { tmpdir } from 'node:os'
 * import path from 'node:path'
 *
 * const world = { env: {}, home: await mkdtemp(path.join(tmpdir(), 'home-')), installations: [] }
 * await setConfigValue('owner', 'ada', world)
 * console.log(await findConfigValue('owner', world)) // ada
 * ```
 */
export async function setConfigValue(key: string, value: unknown, world: SelectionWorld): Promise<boolean> {
  if (key === 'schema_version') throw new ConfigValueError(key, 'schema_version is kept by the program itself.')
  const wanted = await meantBy(key, value, world)
  return await updateInstallConfig(world, (document) => {
    for (const name of namesOf(key)) document.set(name, jsonValue(wanted))
  })
}

/**
 * Returns whether there was a value to remove.
 *
 * @example
 * ```ts
 * import { processWorld, unsetConfigValue } from '@agentm/selection'
 *
 * const wasThere = await unsetConfigValue('models.url', processWorld())
 * ```
 */
export async function unsetConfigValue(key: string, world: SelectionWorld): Promise<boolean> {
  if (key === 'schema_version') throw new ConfigValueError(key, 'schema_version is kept by the program itself.')
  return await updateInstallConfig(world, (document) => {
    for (const name of namesOf(key)) document.delete(name)
  })
}

/**
 * Rewrites settings of older installations, so that every program reads the same: the vault path under its plugin's key, and the
 * backend it implied. Returns the keys it added.
 *
 * @example
 * ```ts
 * import { migrateInstallConfig, processWorld } from '@agentm/selection'
 *
 * const added = await migrateInstallConfig(processWorld())
 * ```
 */
export async function migrateInstallConfig(world: SelectionWorld): Promise<string[]> {
  const added: string[] = []
  await updateInstallConfig(world, (document) => {
    added.length = 0
    const legacy = textOf(document, legacyVaultPath)
    if (legacy === '' || textOf(document, vaultPath) !== '') return
    add(document, vaultPath, legacy, added)
    if (!document.has('storage.backend')) add(document, 'storage.backend', 'vault', added)
  })
  return added
}

/**
 * Stores a store's id in the config unless one is there already. Returns the id that is there afterwards.
 *
 * @example
 * ```ts
 * import { adoptStoreId } from '@agentm/selection'
 * import { mkdtemp } from 'node:fs/promises'
 * import { tmpdir } from 'node:os'
 * import path from 'node:path'
 *
 * const world = { env: {}, home: await mkdtemp(path.join(tmpdir(), 'home-')), installations: [] }
 * console.log(await adoptStoreId('plugins.map.store_id', 's1', world)) // s1
 * ```
 */
export async function adoptStoreId(storeIdKey: string, storeId: string, world: SelectionWorld): Promise<string> {
  let inForce = storeId
  await updateInstallConfig(world, (document) => {
    const known = textOf(document, storeIdKey)
    inForce = known === '' ? storeId : known
    if (known === '') document.set(storeIdKey, storeId)
  })
  return inForce
}

async function meantBy(key: string, value: unknown, world: SelectionWorld): Promise<unknown> {
  const setting = findSetting(key)
  if (setting === undefined) return value
  if (setting.isDirectory === true) return await directory(key, value, world)
  const given = typeof value === 'string' ? valueFromText(key, value) : value
  const parsed = parseSetting(key, given)
  if (!parsed.ok || parsed.value === undefined || !isChoice(parsed.value, setting.choices))
    throw new ConfigValueError(
      key,
      `${JSON.stringify(given)} is not ${parsed.ok ? setting.form : parsed.wanted}, as "${key}" has to be. ` +
        `To go back to the default: agentm config unset ${key}.`,
    )
  return parsed.value
}

function isChoice(value: unknown, choices: readonly string[] | undefined): boolean {
  return choices === undefined || typeof value !== 'string' || choices.includes(value)
}

async function directory(key: string, value: unknown, world: SelectionWorld): Promise<string> {
  if (typeof value !== 'string' || strip(value) === '') throw new ConfigValueError(key, `${key} needs a directory.`)
  const named = absolute(strip(value), world, key)
  const found = await stat(named).catch((error: unknown) => error)
  if (found instanceof Error || !(found as { isDirectory(): boolean }).isDirectory())
    throw new ConfigValueError(
      key,
      `${named} is not a directory. Create it, or mount the drive it is on, and try again.`,
    )
  return await realpath(named)
}

function textOf(document: JsonObject, key: string): string {
  const value = document.get(key)
  return typeof value === 'string' ? strip(value) : ''
}

function add(document: JsonObject, key: string, value: string, added: string[]): void {
  document.set(key, value)
  added.push(key)
}
