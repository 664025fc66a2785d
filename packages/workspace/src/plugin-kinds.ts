/**
 * Kinds of steps from plugins: packages that `harness.plugins` names, and installed packages that declare themselves. Finding a
 * kind allows nothing: a worker runs the kinds of `harness.kinds`, wherever they come from.
 */
import type { StepKind, StepKindPlugin } from '@agentm/harness'
import {
  ambiguous,
  declaredPlugin,
  type InstalledPlugin,
  namedPlugins,
  type OpenedPlugin,
  type PluginFamily,
  pluginSettings,
} from '@agentm/selection/plugins'
import type { InstallConfig, SelectionWorld } from '@agentm/selection/reader'
import { HarnessConfigError } from './harness-config-error.ts'
import { isStepKindName } from './step-kind-names.ts'

export interface PluginKind {
  readonly kind: StepKind
  /** The package that provides it. */
  readonly from: string
}

export interface PluginKinds {
  /** Everything that packages of `harness.plugins` bring, and the wanted kinds of packages that declare themselves. */
  readonly found: ReadonlyMap<string, PluginKind>
  /** Wanted kinds that no plugin provides. */
  readonly unknown: readonly string[]
}

export async function pluginKinds(
  wanted: readonly string[],
  { config, world }: { readonly config: InstallConfig; readonly world: SelectionWorld },
): Promise<PluginKinds> {
  const family = stepKinds(config)
  const found = new Map<string, PluginKind>()
  for await (const { name, plugin } of namedPlugins(family, world)) {
    for (const kind of plugin) {
      const other = found.get(kind.name)
      if (other !== undefined) throw ambiguous(kind.name, [{ name: other.from }, { name }], family)
      found.set(kind.name, { kind, from: name })
    }
  }
  const unknown: string[] = []
  for (const name of wanted) {
    if (isStepKindName(name) || found.has(name)) continue
    const declared = await declaredPlugin(name, family, { world })
    const kind = declared?.plugin.find((each) => each.name === name)
    if (declared === undefined || kind === undefined) unknown.push(name)
    else found.set(name, { kind, from: declared.name })
  }
  return { found, unknown }
}

type Kinds = InstalledPlugin<readonly StepKind[]>['plugin']

function stepKinds(config: InstallConfig): PluginFamily<Kinds> {
  return {
    field: 'steps',
    noun: 'kind of step',
    setting: 'harness.plugins',
    named: config.values['harness.plugins'] ?? [],
    provided: (kinds) => kinds.map(({ name }) => name),
    open: (exported) => opened(exported, config),
    refuse: ({ message, cause }) => new HarnessConfigError(message, { cause }),
  }
}

async function opened(exported: unknown, { values }: InstallConfig): Promise<OpenedPlugin<Kinds>> {
  if (!isStepKindPlugin(exported))
    return { ok: false, why: 'exports no kind of step: `plugin` is missing or has another shape' }
  const contract: number = exported.contract
  if (contract !== 1)
    return {
      ok: false,
      why: `is written for version ${contract} of the contract of step kinds, and this program knows 1`,
    }
  const { settingsKey } = exported
  let kinds: unknown
  try {
    kinds = await exported.open(settingsKey === undefined ? {} : pluginSettings(settingsKey, values))
  } catch (cause) {
    return { ok: false, why: `cannot be opened (${cause instanceof Error ? cause.message : String(cause)})`, cause }
  }
  if (!Array.isArray(kinds) || kinds.length === 0 || !kinds.every((kind) => isStepKind(kind)))
    return {
      ok: false,
      why: 'opens something that is not a list of kinds of steps, each with a name and a run function',
    }
  const names = kinds.map(({ name }) => name)
  const taken = names.find((name) => isStepKindName(name))
  if (taken !== undefined)
    return { ok: false, why: `brings a kind of step "${taken}", and that name is one of agentm's own` }
  const twice = names.find((name, i) => names.indexOf(name) !== i)
  if (twice !== undefined) return { ok: false, why: `brings two kinds of steps with the name "${twice}"` }
  return { ok: true, plugin: kinds }
}

/** By shape: a plugin may bring its own copy of the harness. */
function isStepKindPlugin(value: unknown): value is StepKindPlugin {
  if (typeof value !== 'object' || value === null) return false
  const { contract, settingsKey, open } = value as Partial<StepKindPlugin>
  return (
    typeof contract === 'number' &&
    (settingsKey === undefined || typeof settingsKey === 'string') &&
    typeof open === 'function'
  )
}

/** A name stands in `harness.kinds`, whose parts are separated by commas. */
function isStepKind(value: unknown): value is StepKind {
  if (typeof value !== 'object' || value === null) return false
  const { name, run, natureOf } = value as Partial<StepKind>
  return (
    typeof name === 'string' &&
    /^[^\s,]+$/.test(name) &&
    typeof run === 'function' &&
    (natureOf === undefined || typeof natureOf === 'function')
  )
}
