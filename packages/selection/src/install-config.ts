/**
 * Reads the install config. An absent file means a fresh machine. Invalid content is refused with file and position. Reading never
 * writes: legacy keys are understood here and rewritten by `migrateInstallConfig`.
 */
import { type ConfigValues, parseSetting, parseSettings, type SettingProblem } from '@agentm/settings'
import type { FilePath } from '@agentm/vault-lock'
import { configFile } from './config-file.ts'
import { type JsonObject, JsonSyntaxError, parseJson, plainJson } from './pure/json-document.ts'
import type { SelectionWorld } from './selection-world.ts'
import { StorageSelectionError } from './storage-selection-error.ts'
import { readTextFile, type TextFile } from './text-file.ts'

/** The install config that was read: every key with its value. */
export interface InstallConfig {
  /** The name of the file, for messages. */
  readonly file: string
  /** Every key of the file, dots included. Keys of agentm are checked and typed; other keys keep their value. */
  readonly values: ConfigValues
}

/**
 * Reads the install config. A file that does not exist gives an empty config; invalid content is refused.
 *
 * @example
 * ```ts
 * import { readInstallConfig } from '@agentm/selection'
 *
 * const { values } = await readInstallConfig({ env: {}, home: '/nowhere', installations: [] })
 * console.log(Object.keys(values).length) // 0
 * ```
 */
export async function readInstallConfig(world: SelectionWorld): Promise<InstallConfig> {
  const file = configFile(world)
  const document = await documentOnce(world)
  const inFile = document === undefined ? {} : (plainJson(document) as Record<string, unknown>)
  return understandConfig(file, { ...inFile, ...world.settings })
}

/**
 * Reads only the state mode, even if another setting is invalid, because keeping plans in the checkout must not depend on the rest
 * of the file.
 */
export async function readConfiguredMode(world: SelectionWorld): Promise<string | undefined> {
  const document = await documentOnce(world)
  const mode = parseSetting(
    'state_mode',
    world.settings?.['state_mode'] ?? plainJson(document?.get('state_mode') ?? null),
  )
  return mode.ok && typeof mode.value === 'string' ? mode.value : undefined
}

function understandConfig(file: string, values: Readonly<Record<string, unknown>>): InstallConfig {
  const parsed = parseSettings(values)
  if (!parsed.ok) throw refusal(file, parsed, values[parsed.key])
  return { file, values: parsed.values }
}

function refusal(file: string, { key, wanted }: SettingProblem, value: unknown) {
  return new StorageSelectionError(
    `${file}: "${key}" is ${JSON.stringify(value)}, which is not ${wanted}. ` +
      `Correct it (agentm config set ${key} VALUE) or remove it (agentm config unset ${key}).`,
    { reason: 'config' },
  )
}

async function documentOnce(world: SelectionWorld): Promise<JsonObject | undefined> {
  const file = configFile(world)
  return documentIn(file, await (world.configText ?? (() => readTextFile(file)))())
}

/** The file as a document that can be written back without loss; `undefined` if it does not exist. */
export async function readConfigDocument(file: FilePath): Promise<JsonObject | undefined> {
  return documentIn(file, await readTextFile(file))
}

function documentIn(file: FilePath, found: TextFile): JsonObject | undefined {
  if (found.kind === 'absent') return undefined
  if (found.kind === 'unreadable') throw corrupt(`${file} ${found.why}`, found.cause)
  return parseConfigDocument(file, found.text)
}

export function parseConfigDocument(file: FilePath, text: string): JsonObject {
  try {
    const value = parseJson(text)
    if (value instanceof Map) return value
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error
    throw corrupt(`${file}:${error.line}:${error.column} is not JSON (${error.message})`, error)
  }
  throw corrupt(`${file}:1:1 does not hold an object of settings`)
}

function corrupt(what: string, cause?: unknown): StorageSelectionError {
  return new StorageSelectionError(`${what}. It was not changed. Repair it, or move it away and run agentm init.`, {
    reason: 'config',
    cause,
  })
}
