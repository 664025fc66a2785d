import './memory.css'
import type { RoomProps } from '../rooms.ts'
import { query } from '../router.ts'
import { NoSuchPage } from '../views/no-such-page.tsx'
import { ConflictView, ConflictsView } from './conflicts-view.tsx'
import { MemoryView } from './memory-view.tsx'
import { NewNote } from './new-note.tsx'
import { NoteView } from './note-view.tsx'

/** `/memory`, `/memory/new`, `/memory/note/KEY` and `/memory/conflicts/KEY`; a key keeps its slashes. */
export function MemoryRoom({ parts: [first, ...rest] }: RoomProps) {
  const key = rest.join('/')
  if (first === undefined) return <MemoryView />
  if (first === 'new' && key === '') return <NewNote />
  if (first === 'note' && key !== '') return <NoteView key={key} at={key} as={query.value.get('view') ?? 'text'} />
  if (first === 'conflicts') return key === '' ? <ConflictsView /> : <ConflictView key={key} copy={key} />
  return <NoSuchPage />
}
