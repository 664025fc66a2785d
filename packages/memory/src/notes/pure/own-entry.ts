/**
 * Whether a note is an entry of agentm, by what stands at its head. A vault also holds what its owner keeps there: the same
 * names of fields mean something else in it, and `status: archived` in a diary is no reason not to recall the diary.
 */
import type { NotePlace } from './note-place.ts'

/**
 * In a home of ours the three fields that every entry has are enough. Elsewhere it must be as our programs write it: with a slug,
 * and with the fields that nobody else has. What was forgotten or superseded by us says so, wherever it lies.
 */
export function isOwnEntry(fields: ReadonlyMap<string, unknown>, { isOurs }: Pick<NotePlace, 'isOurs'>): boolean {
  const has = (...names: readonly string[]) => names.every((name) => isSaid(fields.get(name)))
  if (marks.some((mark) => has(...mark)) || (fields.has('belief') && has('owner'))) return true
  if (!has('kind', 'status')) return false
  const isCandidate = has('slug') && [...fields.keys()].some((name) => name.startsWith('mining_'))
  if (isCandidate || (isOurs && has('created'))) return true
  return has('created', 'slug') && (fields.has('always_load') || fields.has('group'))
}

const marks = [
  ['status', 'deleted_at'],
  ['status', 'superseded_reason'],
] as const

function isSaid(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== ''
}
