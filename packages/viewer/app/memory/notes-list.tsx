/** The notes that are chosen. Of 20,000, only those on the screen are loaded and drawn. */
import { useEffect, useRef } from 'preact/hooks'
import type { NoteRow } from '../../src/contract/memory.ts'
import { countOf } from '../pure/words.ts'
import { Empty } from '../views/empty.tsx'
import { useIsNarrow, useWindowOfRows } from '../views/windowed.ts'
import { noteAddress } from './addresses.ts'
import { dayWords } from './dates.ts'
import { authorWords, projectWords } from './pure/note-words.ts'
import { type Notes, pieceSize } from './use-notes.ts'

export function NotesList({ notes }: { readonly notes: Notes }) {
  const { held, isOld, need } = notes
  const list = useRef<HTMLUListElement>(null)
  const height = useIsNarrow() ? 84 : 66
  const count = held?.list.total ?? 0
  const { first, last } = useWindowOfRows(list, { count, height })
  useEffect(() => need(first, last), [need, first, last])
  if (held === undefined) return <p class="meta">Reading the notes…</p>
  if (count === 0) return <NothingChosen />
  const rows = Array.from({ length: Math.max(0, Math.min(last, count) - first) }, (_, i) => first + i)
  return (
    <section class={isOld ? 'notes is-old' : 'notes'} aria-label="Notes">
      <p class="meta notes-count" role="status">
        {countOf(count, 'note')}
      </p>
      <ul ref={list} class="note-list" style={{ height: `${count * height}px` }}>
        {rows.map((i) => (
          <Row
            key={i}
            note={held.pieces.get(Math.floor(i / pieceSize))?.[i % pieceSize]}
            top={i * height}
            height={height}
            place={{ of: count, at: i + 1 }}
            now={held.list.now}
          />
        ))}
      </ul>
    </section>
  )
}

interface RowProps {
  readonly note: NoteRow | undefined
  readonly top: number
  readonly height: number
  readonly place: { readonly at: number; readonly of: number }
  readonly now: number
}

function Row({ note, top, height, place, now }: RowProps) {
  const style = { transform: `translateY(${top}px)`, height: `${height}px` }
  return (
    <li class="note-row" style={style} aria-posinset={place.at} aria-setsize={place.of}>
      {note === undefined ? (
        <span class="quiet">…</span>
      ) : (
        <>
          <a class="note-title row-link" href={noteAddress(note.key)}>
            {note.title === '' ? note.key : note.title}
          </a>
          <time class="note-day" dateTime={note.createdAt === 0 ? undefined : new Date(note.createdAt).toISOString()}>
            {dayWords(note.createdAt, now)}
          </time>
          <p class="meta note-meta">
            <span class="tag">{note.kind}</span>
            {note.project !== '_global' && <span>{projectWords(note.project)}</span>}
            {note.tags
              .filter((tag) => !tag.startsWith('idem-'))
              .slice(0, 4)
              .map((tag) => (
                <span key={tag}>#{tag}</span>
              ))}
            {note.writtenBy === 'person' && <span>{authorWords(note.writtenBy)}</span>}
          </p>
        </>
      )}
    </li>
  )
}

function NothingChosen() {
  return (
    <Empty title="No note matches">
      <p>Nothing has all of what is chosen. Choose less, or ask memory above: it looks for the meaning, too.</p>
      <a class="button" href="/memory">
        Show all notes
      </a>
    </Empty>
  )
}
