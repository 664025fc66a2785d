/** Decides which package may reach which, and how. Reads nothing. */
import type { NamedRow } from '../gates-config.ts'

export interface Edge {
  readonly from: string
  readonly to: string
  /** The subpath without its slash; `''` for the package itself. */
  readonly entry: string
  readonly how: 'loads' | 'loads by name' | 'types'
}

export type ArrowTable = Readonly<Record<string, { readonly may: readonly string[] }>>

interface Target {
  readonly kind: 'any' | 'type' | 'lazy'
  readonly to: string
  readonly entry: string | undefined
}

/** Why the table refuses an edge; `undefined` if it is allowed. */
export function refusal(table: ArrowTable, edge: Edge, also: readonly string[] = []): string | undefined {
  const row = table[edge.from]
  if (row === undefined) return `${edge.from} has no row in the arrow table. Add one.`
  const targets = [...row.may, ...also].map(parseTarget).filter(({ to }) => to === edge.to)
  if (targets.length === 0) return `${edge.from} may not import ${edge.to}. ${allowed(edge.from, row.may)}`
  if (targets.some((target) => fits(target, edge))) return undefined
  return `${edge.from} may not import ${written(edge)} like this. ${targets.map(advice).join(' ')}`
}

/** The named rows an edge breaks. */
export function brokenRows(rows: readonly NamedRow[], edge: Edge): readonly NamedRow[] {
  return rows.filter((row) => binds(row, edge.from) && breaks(row, edge))
}

export function binds(row: NamedRow, from: string): boolean {
  return matches(row.from, from) && !row.except.some((name) => matches(name, from))
}

export function forbids(row: NamedRow, to: string): boolean {
  return (row.never ?? []).some((pattern) => matches(pattern, to))
}

/** The cycles of the table, each once. */
export function cyclesOf(arrows: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const found: string[] = []
  const done = new Set<string>()
  const visit = (name: string, trail: readonly string[]): void => {
    if (trail.includes(name)) found.push([...trail.slice(trail.indexOf(name)), name].join(' → '))
    if (trail.includes(name) || done.has(name)) return
    for (const next of arrows.get(name) ?? []) visit(next, [...trail, name])
    done.add(name)
  }
  for (const name of arrows.keys()) visit(name, [])
  return found
}

export function parseTarget(text: string): Target {
  const [, prefix = '', place = text] = /^(?:(type|lazy):)?(.*)$/.exec(text) ?? []
  const slash = place.indexOf('/')
  const kind = prefix === 'type' || prefix === 'lazy' ? prefix : 'any'
  if (slash < 0) return { kind, to: place, entry: undefined }
  return { kind, to: place.slice(0, slash), entry: place.slice(slash + 1) }
}

function fits(target: Target, edge: Edge): boolean {
  if (target.entry !== undefined && target.entry !== edge.entry) return false
  if (target.kind === 'type') return edge.how === 'types'
  if (target.kind === 'lazy') return edge.how === 'loads by name'
  return true
}

function breaks(row: NamedRow, edge: Edge): boolean {
  if (forbids(row, edge.to)) return true
  if (row.only === undefined) return false
  return !row.only.map(parseTarget).some((target) => matches(target.to, edge.to) && fits(target, edge))
}

function matches(pattern: string, name: string): boolean {
  return new RegExp(`^${pattern.split('*').map(escaped).join('.*')}$`).test(name)
}

function escaped(text: string): string {
  return text.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`)
}

function allowed(from: string, may: readonly string[]): string {
  return may.length === 0 ? `The arrow table lets ${from} import nothing.` : `Its row names ${may.join(', ')}.`
}

function written({ to, entry }: Edge): string {
  return entry === '' ? to : `${to}/${entry}`
}

function advice({ kind, to, entry }: Target): string {
  const place = entry === undefined ? to : `${to}/${entry}`
  if (kind === 'type') return `Only types of ${place} are allowed: write \`import type\`.`
  if (kind === 'lazy')
    return `Only a load of ${place} by name is allowed: write \`await import(…)\` where it is needed.`
  return `Only ${place} is allowed.`
}
