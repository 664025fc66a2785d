import { redactSecrets } from '@agentm/nodes'
import type { ConflictList, NoteList, Recalled } from '../contract/memory.ts'
import { NothingHereError, type Room } from '../room.ts'
import type { ViewSource } from '../view-source.ts'
import { ConflictPages } from './conflict-pages.ts'
import { makeMemoryChange } from './make-memory-change.ts'
import { notePage } from './note-page.ts'
import { type ListedStatus, listedStatuses, NoteShelf } from './note-shelf.ts'
import { noteFilterOf, selectNotes } from './pure/note-filter.ts'
import { parseMemoryChange } from './pure/parse-memory-change.ts'
import { recallPage, recallQuestionOf } from './recall-page.ts'

const mostListed = 200
/** Of a change: a note of 200,000 characters, and what JSON adds to it. */
const mostBytes = 1_000_000

export function memoryRoom(source: ViewSource): Room {
  const shelf = new NoteShelf()
  const conflicts = new ConflictPages()
  return {
    name: 'memory',
    mostBytes,
    reads: {
      '/api/notes': async ({ query }) => listNotes(source, shelf, query),
      '/api/note': async ({ query }) => {
        const memory = await needed(source)
        return notePage(memory, query.get('at') ?? '', conflicts.known(await source.reader()))
      },
      '/api/recall': async ({ query }) => {
        const memory = await source.memory()
        const question = recallQuestionOf(query)
        return memory === undefined || question.text.trim() === '' ? nothingRecalled() : recallPage(memory, question)
      },
      '/api/conflicts': async (): Promise<ConflictList> =>
        (await source.memory()) === undefined ? { pairs: [] } : { pairs: await conflicts.list(await source.reader()) },
      '/api/conflict': async ({ query }) => {
        const page = await conflicts.page(await source.reader(), query.get('copy') ?? '')
        if (page === undefined) throw new NothingHereError('conflict copies of that name')
        return page
      },
    },
    change(sent) {
      const wanted = parseMemoryChange(sent)
      if (wanted === undefined) return undefined
      return source
        .memoryToChange()
        .then((memory) => makeMemoryChange(memory, wanted))
        .finally(() => {
          shelf.changed()
          readAhead(source, shelf)
        })
    },
  }
}

/** Whoever goes back to the list after a change need not wait for it then. */
function readAhead(source: ViewSource, shelf: NoteShelf): void {
  const read = async () => {
    const memory = await source.memory()
    if (memory !== undefined) await shelf.list(memory, '')
  }
  // A failure is forgotten here. The next list meets it again.
  read().catch(() => {})
}

async function listNotes(source: ViewSource, shelf: NoteShelf, query: URLSearchParams): Promise<NoteList> {
  const memory = await source.memory()
  const now = Date.now()
  if (memory === undefined) return noNotes(now)
  const { notes: all, isStale } = await shelf.list(memory, statusOf(query))
  const { notes, ...counts } = selectNotes(all, noteFilterOf(query, now))
  const wanted = Number(query.get('from') ?? 0)
  const from = Number.isSafeInteger(wanted) && wanted > 0 ? wanted : 0
  const shown = notes.slice(from, from + mostListed).map((note) => ({ ...note, title: redactSecrets(note.title) }))
  return { hasMemory: true, notes: shown, from, total: notes.length, ...counts, isStale, now }
}

function statusOf(query: URLSearchParams): ListedStatus {
  return listedStatuses.find((status) => status === query.get('status')) ?? ''
}

async function needed(source: ViewSource) {
  const memory = await source.memory()
  if (memory === undefined) throw new NothingHereError('notes')
  return memory
}

function noNotes(now: number): NoteList {
  return { hasMemory: false, notes: [], from: 0, total: 0, projects: [], kinds: [], tags: [], isStale: false, now }
}

function nothingRecalled(): Recalled {
  return {
    results: [],
    words: [],
    notes: 0,
    namesTime: false,
    prefersNewer: false,
    leftOut: [],
    belowFloor: 0,
    routine: 0,
    more: 0,
    notices: [],
    tookMs: 0,
    now: Date.now(),
  }
}
