/**
 * Whether a note is an entry of agentm, judged by its fields. A vault also contains its owner's files, in which the same field
 * names can mean something else: a diary page with `status: archived` should still be recalled.
 */
import type { NotePlace } from './note-place.ts'

/**
 * In a directory of agentm, the three fields that every entry has are enough. Elsewhere, the note must look as agentm writes it:
 * with a slug and with fields that no other tool uses. Notes that agentm forgot or superseded are recognised everywhere.
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
