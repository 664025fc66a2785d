/** What the keys of the install config may say. Keys that are not ours are kept and not looked at. */
import * as z from 'zod'
import type { InstallConfig } from './install-config.ts'
import { isPackageName } from './pure/package-name.ts'
import { strip } from './pure/strip.ts'
import { StorageSelectionError } from './storage-selection-error.ts'

const text = z.string().transform(strip)
const optional = text
  .nullish()
  .transform((value) => (value === '' || value === null ? undefined : value))
  .optional()
const backend = text.refine((value) => value !== '')

const schema = z.looseObject({
  'storage.backend': backend.optional(),
  'storage.plugins': z.array(text.refine(isPackageName)).optional(),
  'plugins.obsidian-vault.vault_path': optional,
  'plugins.obsidian-vault.memory_root': optional,
  'plugins.obsidian-vault.personal_root': optional,
  'plugins.device-local.root': optional,
  vault_path: optional,
  state_mode: text.nullish(),
  owner: optional,
  'nodes.url': optional,
})

/** What a key has to be, for the message that refuses it. */
const wanted: Readonly<Record<string, string>> = {
  'storage.backend': 'the name of a backend, such as "device-local"',
  'storage.plugins': 'a list of names of installed packages',
  state_mode: '"local" or "backend"',
}

export function understandConfig(file: string, values: Readonly<Record<string, unknown>>): InstallConfig {
  const parsed = schema.safeParse(values)
  if (!parsed.success) throw refusal(file, values, String(parsed.error.issues[0]?.path[0]))
  const known = parsed.data
  return {
    file,
    plugins: known['storage.plugins'] ?? [],
    values: known,
    ...given('backend', known['storage.backend']),
    ...given('legacyVaultPath', known.vault_path),
    ...given('stateMode', stateMode(known.state_mode)),
    ...given('owner', known.owner),
    ...given('nodesUrl', known['nodes.url']),
  }
}

/** Why this value cannot stand under this key; `undefined` where it can. */
export function objectionTo(key: string, value: unknown): string | undefined {
  if (key === 'state_mode' && !['local', 'backend', 'vault'].includes(String(value)))
    return `"state_mode" is "local" or "backend", and not ${JSON.stringify(value)}.`
  if (schema.safeParse({ [key]: value }).success) return undefined
  return `${JSON.stringify(value)} is not ${wanted[key] ?? 'text'}, as "${key}" has to be.`
}

/** The value as it is written: trimmed, and under its present name. */
export function storedForm(key: string, value: unknown): unknown {
  return key === 'state_mode' && value === 'vault' ? 'backend' : schema.parse({ [key]: value })[key]
}

function stateMode(value: string | null | undefined): string | undefined {
  const mode = value?.toLowerCase()
  return mode === 'vault' ? 'backend' : mode === '' ? undefined : mode
}

function given<K extends string>(key: K, value: string | undefined): { readonly [P in K]?: string } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [P in K]?: string })
}

function refusal(file: string, values: Readonly<Record<string, unknown>>, key: string): StorageSelectionError {
  return new StorageSelectionError(
    `${file}: "${key}" is ${JSON.stringify(values[key])}, which is not ${wanted[key] ?? 'text'}. ` +
      `Correct it (agentm config set ${key} VALUE) or remove it (agentm config unset ${key}).`,
    { reason: 'config' },
  )
}
