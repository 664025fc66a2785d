/** Turns values of the file or words of a command line into settings, by the table. Unknown keys are left unchanged. */
import type { CodingAgentSetting } from './coding-agent-setting.ts'
import type { McpServerSetting } from './mcp-server-setting.ts'
import type { Parsed } from './parser.ts'
import { type Setting, settingFamilies, settings, type Settings } from './settings-table.ts'

/** The settings: typed for every key of the table, unchanged for every other key. */
export type ConfigValues = Settings & { readonly vault_path?: string | undefined } & {
  readonly [key: `tools.mcp.${string}`]: McpServerSetting | undefined
} & { readonly [key: `codingAgents.${string}`]: CodingAgentSetting | undefined } & { readonly [key: string]: unknown }

/** A key with an invalid value, and what is allowed. */
export interface SettingProblem {
  readonly key: string
  /** What the value should have been. */
  readonly wanted: string
}

/**
 * All settings, or the first key with an invalid value.
 *
 * @example
 * ```ts
 * import { parseSettings } from '@agentm/settings'
 *
 * const parsed = parseSettings({ owner: 7 })
 * console.log(parsed.ok ? 'fine' : `${parsed.key} should be ${parsed.wanted}`) // owner should be …
 * ```
 */
export function parseSettings(
  values: Readonly<Record<string, unknown>>,
): { readonly ok: true; readonly values: ConfigValues } | ({ readonly ok: false } & SettingProblem) {
  const parsed: Record<string, unknown> = { ...values }
  for (const key of Object.keys(values)) {
    const one = parseSetting(key, values[key])
    if (!one.ok) return { ok: false, key, wanted: one.wanted }
    parsed[key] = one.value
  }
  return { ok: true, values: parsed as ConfigValues }
}

/**
 * Parses one value. Every value is valid for a key that is not in the table.
 *
 * @example
 * ```ts
 * import { parseSetting } from '@agentm/settings'
 *
 * console.log(parseSetting('models.url', 'http://127.0.0.1:11434/v1').ok, parseSetting('models.url', 7).ok) // true false
 * ```
 */
export function parseSetting(key: string, value: unknown): Parsed<unknown> {
  return findSetting(key)?.parse(value) ?? { ok: true, value }
}

/**
 * Turns text that a person typed into the value for the file.
 *
 * @example
 * ```ts
 * import { valueFromText } from '@agentm/settings'
 *
 * console.log(JSON.stringify(valueFromText('harness.kinds', 'command,http'))) // ["command","http"]
 * ```
 */
export function valueFromText(key: string, text: string): unknown {
  return findSetting(key)?.fromText(text) ?? text
}

/**
 * `undefined` for an unknown key.
 *
 * @example
 * ```ts
 * import { findSetting } from '@agentm/settings'
 *
 * console.log(findSetting('models.url')?.form !== undefined, findSetting('nope')) // true undefined
 * ```
 */
export function findSetting(key: string): Setting<unknown> | undefined {
  const known: Readonly<Record<string, Setting<unknown>>> = settings
  return known[namesOf(key)[0] ?? key] ?? familyOf(key)
}

/**
 * Every key that a setting is stored under, the current one first.
 *
 * @example
 * ```ts
 * import { namesOf } from '@agentm/settings'
 *
 * console.log(namesOf('plugins.obsidian-vault.vault_path').join()) // plugins.obsidian-vault.vault_path,vault_path
 * ```
 */
export function namesOf(key: string): readonly string[] {
  const known: Readonly<Record<string, Setting<unknown>>> = settings
  const [present = key] = Object.keys(known).filter((each) => known[each]?.alsoAs?.includes(key) === true)
  return [present, ...(known[present]?.alsoAs ?? [])]
}

function familyOf(key: string): Setting<unknown> | undefined {
  for (const [prefix, family] of Object.entries(settingFamilies)) {
    if (!key.startsWith(prefix)) continue
    return family.isMember(key.slice(prefix.length)) ? family : { ...family, parse: () => misnamed(family) }
  }
  return undefined
}

function misnamed({ help }: { readonly help: string }): Parsed<unknown> {
  return { ok: false, wanted: `under a name that can be used. ${help}` }
}
