import './memory.css'
import { about } from '../about.ts'
import type { RoomProps } from '../rooms.ts'
import { query } from '../router.ts'
import { NoSuchPage } from '../views/no-such-page.tsx'
import { ConflictView, ConflictsView } from './conflicts-view.tsx'
import { NoteEditor } from './edit-note.tsx'
import { MemoryView } from './memory-view.tsx'
import { NewNote } from './new-note.tsx'
import { NoteView } from './note-view.tsx'

/** `/memory`, `/memory/new`, `/memory/note/KEY` and `/memory/conflicts/KEY`; a key keeps its slashes. */
export function MemoryRoom({ parts: [first, ...rest] }: RoomProps) {
  const key = rest.join('/')
  if (first === undefined) return <MemoryView />
  if (first === 'new' && key === '') return <NewNote />
  const view = query.value.get('view') ?? 'text'
  if (first === 'note' && key !== '')
    return view === 'edit' && about.value.canWrite ? (
      <NoteEditor key={key} at={key} />
    ) : (
      <NoteView key={key} at={key} as={view} />
    )
  if (first === 'conflicts') return key === '' ? <ConflictsView /> : <ConflictView key={key} copy={key} />
  return <NoSuchPage />
}
