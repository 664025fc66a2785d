/**
 * The list of notes, without their texts, as it was when the store was last looked at. Looking at 20,000 files takes longer than a person
 * waits for a list, so the list that is there is given at once, and the store is looked at again beside it.
 */
import type { Workspace } from '@agentm/workspace'
import type { NoteRow } from '../contract/memory.ts'

type Memory = Awaited<ReturnType<Workspace['memory']>>
type ListedNote = Awaited<ReturnType<Memory['notes']>>[number]

interface Shelf {
  readonly notes: readonly NoteRow[]
  readonly readAt: number
  /** How long it took to read it. */
  readonly tookMs: number
}

/** The statuses whose notes are listed; without one, the active notes. */
export const listedStatuses = ['', 'deleted', 'superseded', 'inbox'] as const
export type ListedStatus = (typeof listedStatuses)[number]

/** A list of this age is given as it is, */
const freshMs = 3_000
/** and so is one of this many times the time that reading it takes: looking at a large store must not keep a person waiting. */
const freshTimes = 20
const mostMs = 30_000

export class NoteShelf {
  readonly #shelves = new Map<ListedStatus, Shelf>()
  readonly #reading = new Map<ListedStatus, Promise<Shelf>>()
  #changes = 0

  /** After a change, the list is read again before it is given. */
  changed(): void {
    this.#changes++
    this.#shelves.clear()
    this.#reading.clear()
  }

  async list(
    memory: Memory,
    status: ListedStatus,
  ): Promise<{ readonly notes: readonly NoteRow[]; readonly isStale: boolean }> {
    const known = this.#shelves.get(status)
    if (known === undefined) return { notes: (await this.#read(memory, status)).notes, isStale: false }
    const isStale = Date.now() - known.readAt > Math.min(mostMs, Math.max(freshMs, known.tookMs * freshTimes))
    // A failure is forgotten here. The next list that has to wait meets it again.
    if (isStale) this.#read(memory, status).catch(() => this.#shelves.delete(status))
    return { notes: known.notes, isStale }
  }

  /** One reading at a time for each list. */
  #read(memory: Memory, status: ListedStatus): Promise<Shelf> {
    const going = this.#reading.get(status)
    if (going !== undefined) return going
    const reading = this.#readNow(memory, status).finally(() => {
      if (this.#reading.get(status) === reading) this.#reading.delete(status)
    })
    this.#reading.set(status, reading)
    return reading
  }

  async #readNow(memory: Memory, status: ListedStatus): Promise<Shelf> {
    const before = this.#changes
    const shelf = await shelfOf(memory, status)
    if (this.#changes === before) this.#shelves.set(status, shelf)
    return shelf
  }
}

async function shelfOf(memory: Memory, status: ListedStatus): Promise<Shelf> {
  const began = Date.now()
  const found = await memory.notes(status === '' ? {} : { status: [status] })
  const tagsOf = sharedTags()
  const notes = found.map((note) => rowOf(note, tagsOf))
  return {
    notes: notes.toSorted((a, b) => b.createdAt - a.createdAt || (a.key < b.key ? -1 : 1)),
    readAt: Date.now(),
    tookMs: Date.now() - began,
  }
}

type TagsOf = (tags: readonly string[]) => readonly string[]

/** Few of 20,000 notes have tags that no other note has, so equal lists of tags are kept once. */
function sharedTags(): TagsOf {
  const known = new Map<string, readonly string[]>()
  return (tags) => {
    const name = JSON.stringify(tags)
    const same = known.get(name) ?? tags
    known.set(name, same)
    return same
  }
}

function rowOf(note: ListedNote, tagsOf: TagsOf): NoteRow {
  const { key, title, kind, status, project, createdAt, writtenBy } = note
  const author = writtenBy === undefined ? {} : { writtenBy }
  return { key, title, kind, status, tags: tagsOf(note.tags), project, createdAt, ...author }
}
