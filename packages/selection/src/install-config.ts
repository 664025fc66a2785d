/**
 * The one reader of the install config. Absent is a fresh machine; anything there that cannot be understood is a refusal
 * with file and position. Reading never writes: legacy keys are understood here and rewritten by `migrateInstallConfig`.
 */
import type { FilePath } from '@agentm/vault-lock'
import { configFile } from './config-file.ts'
import { type JsonObject, JsonSyntaxError, parseJson, plainJson } from './pure/json-document.ts'
import type { SelectionWorld } from './selection-world.ts'
import { StorageSelectionError } from './storage-selection-error.ts'
import { readTextFile } from './text-file.ts'

export interface InstallConfig {
  /** For messages. */
  readonly file: string
  readonly backend?: string
  /** Plugin packages to ask for a backend, in order. */
  readonly plugins: readonly string[]
  /** `vault_path` of older installations; counts only where no other key or plugin setting says more. */
  readonly legacyVaultPath?: string
  readonly stateMode?: string
  readonly owner?: string
  readonly nodesUrl?: string
  /** Every key of the file, dots included, as plain values. */
  readonly values: Readonly<Record<string, unknown>>
}

export async function readInstallConfig(world: SelectionWorld): Promise<InstallConfig> {
  const file = configFile(world)
  const document = await readConfigDocument(file)
  if (document === undefined) return { file, plugins: [], values: {} }
  // The schema library costs more to load than everything else here, so a machine without a config does not load it.
  const { understandConfig } = await import('./config-schema.ts')
  return understandConfig(file, plainJson(document) as Record<string, unknown>)
}

/** The file as a document that can be written back without loss; `undefined` where there is none. */
export async function readConfigDocument(file: FilePath): Promise<JsonObject | undefined> {
  const found = await readTextFile(file)
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
  return new StorageSelectionError(`${what}. Repair it, or move it away and run agentm init; it was left as it is.`, {
    reason: 'config',
    cause,
  })
}
