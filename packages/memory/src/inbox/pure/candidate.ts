/** A proposal in the inbox, read from its file. */
import { globalPartition, placeOf } from '../../notes/pure/note-place.ts'
import { numberField, textField } from '../../notes/pure/note.ts'
import { parseNote } from '../../notes/pure/parse-note.ts'
import type { Author } from '../../notes/pure/shown.ts'
import { isSlug } from '../../notes/pure/slug.ts'

/** One entry of the inbox. */
export interface InboxCandidate {
  readonly key: string
  /** The name of its file. People name the proposal by it. */
  readonly name: string
  /** `gone`: it was decided or forgotten. */
  readonly status: 'waiting' | 'rejected' | 'gone'
  readonly kind: string
  /** Its title, if it has one. */
  readonly title?: string
  readonly text: string
  readonly tags: readonly string[]
  /** Where the accepted note would go: the project's slug, or `_global`. */
  readonly partition: string
  /** Proposes to load the note at the start of every session. */
  readonly alwaysLoad: boolean
  readonly writtenBy?: Author
  /** Epoch milliseconds; 0 if the time is unknown. */
  readonly createdAt: number
  /** How often it was proposed. */
  readonly occurrences: number
  readonly confidence?: number
  /** Why it may be worth keeping, as stated by its proposer. */
  readonly reason?: string
}

export function candidateOf(text: string, key: string): InboxCandidate {
  const note = parseNote(text, key)
  const { fields } = note
  const title = textField(fields, 'title')
  const group = textField(fields, 'group')
  const confidence = confidenceOf(numberField(fields, 'mining_confidence'))
  const reason = reasonOf(textField(fields, 'mining_rationale'))
  return {
    key,
    name: placeOf(key).stem,
    status: statuses[textField(fields, 'status') ?? 'inbox'] ?? 'gone',
    kind: isSlug(note.kind) && fields.has('kind') ? note.kind : 'idea',
    text: note.body.trim(),
    tags: note.tags.filter(isSlug),
    partition: group === undefined ? globalPartition : placeOf(`${group}/x/x.md`).partition,
    alwaysLoad: fields.get('always_load') === true,
    createdAt: note.createdAt,
    occurrences: numberField(fields, 'mining_occurrences') ?? 1,
    ...(title === undefined ? {} : { title }),
    ...(note.writtenBy === undefined ? {} : { writtenBy: note.writtenBy }),
    ...(confidence === undefined ? {} : { confidence }),
    ...(reason === undefined ? {} : { reason }),
  }
}

const statuses: Readonly<Record<string, InboxCandidate['status'] | undefined>> = {
  inbox: 'waiting',
  rejected: 'rejected',
}

function confidenceOf(said: number | undefined): number | undefined {
  return said !== undefined && said >= 0 && said <= 1 ? said : undefined
}

/** Older tools write the reason as a JSON string. */
function reasonOf(said: string | undefined): string | undefined {
  if (said === undefined || !said.startsWith('"')) return said
  try {
    const value: unknown = JSON.parse(said)
    return typeof value === 'string' ? value : said
  } catch (error) {
    if (error instanceof SyntaxError) return said
    throw error
  }
}
