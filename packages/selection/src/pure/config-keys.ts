/**
 * What the keys of the install config may say. Keys that are not ours are kept and not looked at. Written by hand: every
 * hook of an agent's session reads this file, and a schema library takes longer to load than all the rest together.
 */
import { isPackageName } from './package-name.ts'
import { strip } from './strip.ts'

/** Either the value as it is meant, or what it should have been. */
type Understood = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly wanted: string }
type Kind = (value: unknown) => Understood

const kinds: Readonly<Record<string, Kind>> = {
  'storage.backend': backendName,
  'storage.plugins': packageNames,
  'plugins.obsidian-vault.vault_path': optionalText,
  'plugins.obsidian-vault.memory_root': optionalText,
  'plugins.obsidian-vault.personal_root': optionalText,
  'plugins.device-local.root': optionalText,
  vault_path: optionalText,
  state_mode: stateMode,
  owner: optionalText,
  'nodes.url': optionalText,
  'harness.owners': texts,
  'harness.kinds': texts,
  'harness.modules': texts,
  'consolidation.batchMax': numberIn(1, 10_000),
  'consolidation.batchesPerRun': numberIn(1, 10_000),
  'consolidation.clusterMax': numberIn(1, 1000),
  'consolidation.clusterThreshold': numberIn(0, 1),
  'consolidation.dedupThreshold': numberIn(0, 1),
  'consolidation.wordClusterThreshold': numberIn(0, 1),
  'consolidation.wordDedupThreshold': numberIn(0, 1),
  'consolidation.decayDays': numberIn(0, 100_000),
  'consolidation.decayPerInterval': numberIn(0, 1),
  'consolidation.pruneConfidence': numberIn(0, 1),
  'consolidation.reinforceBump': numberIn(0, 1),
  'consolidation.leaseMs': numberIn(1000, 3_600_000),
  'consolidation.at': timeOfDay,
  'consolidation.timeZone': timeZone,
  'models.url': optionalText,
  'models.model': optionalText,
  'models.package': optionalText,
  'models.keyVariable': optionalText,
  'tools.approve': texts,
  'tools.shell.allow': texts,
  'tools.shell.variables': texts,
  'tools.http.hosts': texts,
  'tools.http.privateHosts': texts,
}

const lists: readonly string[] = Object.keys(kinds).filter((key) => kinds[key] === texts || kinds[key] === packageNames)

/** Whether what is kept under the key is a list, which a person writes with commas. */
export function isListKey(key: string): boolean {
  return lists.includes(key)
}

/** One value under one key; every value is fine under a key that is not ours. */
export function understoodValue(key: string, value: unknown): Understood {
  return kinds[key]?.(value) ?? { ok: true, value }
}

/** All of them, or the first key whose value cannot be meant. */
export function understoodValues(
  values: Readonly<Record<string, unknown>>,
):
  | { readonly ok: true; readonly values: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly key: string; readonly wanted: string } {
  const understood: Record<string, unknown> = { ...values }
  for (const key of Object.keys(kinds)) {
    if (!Object.hasOwn(values, key)) continue
    const one = understoodValue(key, values[key])
    if (!one.ok) return { ok: false, key, wanted: one.wanted }
    understood[key] = one.value
  }
  return { ok: true, values: understood }
}

function optionalText(value: unknown): Understood {
  if (value === undefined || value === null) return { ok: true, value: undefined }
  return typeof value === 'string' ? { ok: true, value: strip(value) || undefined } : { ok: false, wanted: 'text' }
}

function stateMode(value: unknown): Understood {
  if (value === undefined || value === null || typeof value === 'string')
    return { ok: true, value: typeof value === 'string' ? strip(value) : value }
  return { ok: false, wanted: '"local" or "backend"' }
}

function backendName(value: unknown): Understood {
  if (typeof value === 'string' && strip(value) !== '') return { ok: true, value: strip(value) }
  return { ok: false, wanted: 'the name of a backend, such as "device-local"' }
}

function packageNames(value: unknown): Understood {
  const names = Array.isArray(value) ? value.map((name) => (typeof name === 'string' ? strip(name) : '')) : []
  if (Array.isArray(value) && names.every(isPackageName)) return { ok: true, value: names }
  return { ok: false, wanted: 'a list of names of installed packages' }
}

function texts(value: unknown): Understood {
  const all = Array.isArray(value) ? value.map((text) => (typeof text === 'string' ? strip(text) : '')) : []
  if (Array.isArray(value) && all.every((text) => text !== '')) return { ok: true, value: all }
  return { ok: false, wanted: 'a list of texts' }
}

/** A person writes it as text, and means a number. */
function numberIn(low: number, high: number): Kind {
  return (value) => {
    const number = typeof value === 'string' && strip(value) !== '' ? Number(value) : value
    if (value === undefined || value === null) return { ok: true, value: undefined }
    if (typeof number === 'number' && number >= low && number <= high) return { ok: true, value: number }
    return { ok: false, wanted: `a number from ${low} to ${high}` }
  }
}

function timeOfDay(value: unknown): Understood {
  if (value === undefined || value === null) return { ok: true, value: undefined }
  const isTime = typeof value === 'string' && /^(?:(?:[01]\d|2[0-3]):[0-5]\d|off)$/.test(strip(value))
  return isTime ? { ok: true, value: strip(value) } : { ok: false, wanted: 'a time of day such as "02:45", or "off"' }
}

/** By its shape; which ones there are, the system knows. */
function timeZone(value: unknown): Understood {
  if (value === undefined || value === null) return { ok: true, value: undefined }
  if (typeof value === 'string' && /^[A-Za-z][\w+-]*(?:\/[\w+-]+)*$/.test(strip(value)))
    return { ok: true, value: strip(value) }
  return { ok: false, wanted: 'a time zone such as "UTC" or "Europe/Berlin"' }
}
