/** What an import does with one entry of another program, given what is known about its note. */
import { contentHash } from '@agentm/storage-seam'

/** Where a note came from: the program, and the id of the entry there. */
export interface NoteOrigin {
  /** Such as `mem0` or `claude-mem`. */
  readonly from: string
  readonly id: string
}

/** A note that is already in the store. */
export interface KnownImport {
  readonly key: string
  /** The fingerprint of its text now. */
  readonly print: string
  readonly isActive: boolean
  /** Whether this caller may replace it. */
  readonly mayReplace: boolean
  /** The entry that it was imported from, as `originName` gives it. */
  readonly origin?: string
  /** The fingerprint of the text that was imported. It differs from `print` if the note was edited since. */
  readonly imported?: string
}

/** Why an entry was left out. */
export type ImportRefusal = 'forgotten' | 'edited-here' | 'person-needed'

export type ImportDecision =
  | { readonly action: 'create' }
  | { readonly action: 'replace' | 'keep' | 'known'; readonly key: string }
  | { readonly action: 'skip'; readonly key: string; readonly why: ImportRefusal }

/** `own` was imported from this entry before; `same` has the same text, wherever it came from. */
export function importDecision(
  print: string,
  { own, same }: { readonly own: KnownImport | undefined; readonly same: KnownImport | undefined },
): ImportDecision {
  if (own === undefined) return same === undefined ? { action: 'create' } : { action: 'known', key: same.key }
  const { key } = own
  if (own.imported === print) return { action: 'keep', key }
  if (!own.isActive) return { action: 'skip', key, why: 'forgotten' }
  if (own.print === print) return { action: 'keep', key }
  if (own.print !== own.imported) return { action: 'skip', key, why: 'edited-here' }
  return own.mayReplace ? { action: 'replace', key } : { action: 'skip', key, why: 'person-needed' }
}

/** One text for program and id, to look an entry up by. */
export function originName({ from, id }: NoteOrigin): string {
  return JSON.stringify([from, storedId(id)])
}

/** An id that is too long for a field is kept as its hash. */
export function storedId(id: string): string {
  const line = id.toWellFormed()
  return line.length <= longestId ? line : `sha256-${contentHash(line)}`
}

const longestId = 400
