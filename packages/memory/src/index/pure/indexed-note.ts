/** The data of a note that the index has without opening the note. */
import type { Payload } from '@agentm/nodes'
import type { Author } from '../../notes/pure/shown.ts'

/** What the index knows of one note. */
export interface IndexedNote {
  readonly id: string
  readonly key: string
  /** The hash of the file's text. */
  readonly hash: string
  /** The backend's hint that the content may have changed. */
  readonly revision: string | undefined
  readonly partition: string
  readonly kind: string
  readonly status: string
  /** Whether it is an entry of agentm. Every other note is a person's own file. */
  readonly isOwn: boolean
  /** Whether it is a belief that another device published. */
  readonly isBelief: boolean
  readonly writtenBy: Author | undefined
  readonly slug: string
  readonly title: string
  readonly tags: readonly string[]
  readonly createdAt: number
  /** When this text was first seen on this device, in epoch milliseconds. */
  readonly seenAt: number
  readonly print: string
  /** The number of its terms. */
  readonly length: number
  readonly codes: string
}

/** Notes with these statuses are recalled only if the status is asked for. */
const restingStatuses = new Set(['superseded', 'deleted', 'inbox', 'archived', 'pruned', 'expired'])

export function isActive(status: string): boolean {
  return !restingStatuses.has(status)
}

/** The version of the stored form. Entries of another version are not read. */
export const indexForm = 3

/** The note of a first item; `undefined` for other items, and for items of an older version of this package. */
export function indexedNote(source: string, partition: string, data: Payload): IndexedNote | undefined {
  if (data['form'] !== indexForm) return undefined
  const text = (name: string) => {
    const value = data[name]
    return typeof value === 'string' ? value : ''
  }
  const { revision, tags, writtenBy } = data
  return {
    id: source,
    key: text('key'),
    hash: text('hash'),
    revision: typeof revision === 'string' ? revision : undefined,
    partition,
    kind: text('kind'),
    status: text('status'),
    isOwn: data['own'] === true,
    isBelief: data['belief'] === true,
    writtenBy: writtenBy === 'person' || writtenBy === 'agent' ? writtenBy : undefined,
    slug: text('slug'),
    title: text('title'),
    tags: Array.isArray(tags) ? tags.map(String) : [],
    createdAt: Number(data['createdAt'] ?? 0),
    seenAt: Number(data['seenAt'] ?? 0),
    print: text('print'),
    length: Number(data['length'] ?? 0),
    codes: text('codes'),
  }
}

/** Whether `indexedNote` would return the same again. It is called for every note after each change, so it creates no objects. */
export function isStill(note: IndexedNote, source: string, partition: string, data: Payload): boolean {
  return (
    data['form'] === indexForm &&
    note.id === source &&
    note.partition === partition &&
    note.key === data['key'] &&
    note.hash === data['hash'] &&
    note.revision === data['revision'] &&
    note.seenAt === data['seenAt'] &&
    note.kind === data['kind'] &&
    note.status === data['status'] &&
    note.isOwn === (data['own'] === true) &&
    note.isBelief === (data['belief'] === true) &&
    note.writtenBy === data['writtenBy'] &&
    note.slug === data['slug'] &&
    note.title === data['title'] &&
    note.createdAt === data['createdAt'] &&
    note.print === data['print'] &&
    note.length === data['length'] &&
    note.codes === data['codes'] &&
    isSameList(note.tags, data['tags'])
  )
}

function isSameList(one: readonly string[], other: unknown): boolean {
  return Array.isArray(other) && one.length === other.length && one.every((each, i) => each === other[i])
}
