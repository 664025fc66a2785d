/** The capabilities that a caller needs, and which of them a backend lacks. */
import { type CapabilityName, capabilityNames } from '@agentm/storage-seam'

/** What a caller needs a backend to promise. */
export type RequiredCapabilities = Readonly<Partial<Record<CapabilityName, boolean>>>

/** The missing capabilities, in the order of declaration. */
export function unmetCapabilities(
  required: RequiredCapabilities,
  offered: Readonly<Record<CapabilityName, boolean>>,
): CapabilityName[] {
  return capabilityNames.filter((name) => required[name] === true && !offered[name])
}

/** The parsed capabilities, or the names that are unknown. */
export type ParsedCapabilities =
  | { readonly names: readonly CapabilityName[]; readonly required: RequiredCapabilities }
  | { readonly unknown: readonly string[]; readonly valid: readonly string[] }

/**
 * Parses a list such as `sync,conflictFiles`. The older spelling `conflict_files` is accepted, too.
 *
 * @example
 * ```ts
 * import { parseCapabilities } from '@agentm/selection'
 *
 * console.log(JSON.stringify(parseCapabilities('sync,removal'))) // …"sync"…
 * ```
 */
export function parseCapabilities(list: string): ParsedCapabilities {
  const given = list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  const spelled = given.map((name) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()))
  const unknown = given.filter((_, i) => !isCapabilityName(spelled[i]))
  if (unknown.length > 0) return { unknown, valid: capabilityNames.toSorted() }
  const names = spelled.filter(isCapabilityName)
  return { names, required: Object.fromEntries(names.map((name) => [name, true])) }
}

function isCapabilityName(name: unknown): name is CapabilityName {
  return (capabilityNames as readonly unknown[]).includes(name)
}
