/** All notes, newest first; or, once somebody asks something, the answer of recall. */
import { useEffect, useRef } from 'preact/hooks'
import { about, typed } from '../about.ts'
import type { ConflictList } from '../../src/contract/memory.ts'
import { useFresh } from '../fresh.ts'
import { countOf } from '../pure/words.ts'
import { query, setQuery } from '../router.ts'
import { CopyCommand } from '../views/copy-command.tsx'
import { Empty } from '../views/empty.tsx'
import { Icon } from '../views/icons.tsx'
import { NoteFacets } from './note-facets.tsx'
import { NotesList } from './notes-list.tsx'
import { listCommand, recallCommand } from './pure/list-query.ts'
import { RecallView } from './recall-view.tsx'
import { useNotes } from './use-notes.ts'

export function MemoryView() {
  useEffect(() => {
    document.title = 'Memory · agentm'
  }, [])
  const asked = query.value.get('q') ?? ''
  const isAsking = asked.trim() !== ''
  const notes = useNotes()
  const { held, error } = notes
  if (error !== undefined && held === undefined) return <Refused error={error} />
  if (held !== undefined && !held.list.hasMemory) return <NoMemory />
  return (
    <>
      <div class="page-head">
        <h1>Memory</h1>
        <div class="buttons">
          <CopyCommand words={isAsking ? recallCommand(query.value) : listCommand(query.value)} />
          {about.value.canWrite && (
            <a class="button" href="/memory/new">
              New note
            </a>
          )}
        </div>
      </div>
      <Ask />
      <Conflicts />
      {isAsking ? (
        <RecallView />
      ) : (
        <div class="browse" aria-busy={held === undefined}>
          {held !== undefined && <NoteFacets list={held.list} />}
          <NotesList notes={notes} />
        </div>
      )}
    </>
  )
}

/** What is typed is asked a moment after the last letter. */
function Ask() {
  const box = useRef<HTMLInputElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>()
  const asked = query.value.get('q') ?? ''
  useEffect(() => {
    if (box.current !== null && document.activeElement !== box.current) box.current.value = asked
  }, [asked])
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof HTMLElement && event.target.matches('input, textarea, select')
      if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey) return
      event.preventDefault()
      box.current?.focus()
    }
    addEventListener('keydown', focus)
    return () => removeEventListener('keydown', focus)
  }, [])
  const later = (text: string, ms: number) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setQuery('q', text), ms)
  }
  return (
    <form
      class="ask-memory"
      role="search"
      onSubmit={(event) => {
        event.preventDefault()
        later(box.current?.value ?? '', 0)
      }}
    >
      <label class="search is-large">
        <Icon name="search" />
        <span class="only-read">Ask memory</span>
        <input
          ref={box}
          type="search"
          placeholder="Ask memory, as an agent would: how do we release?"
          defaultValue={asked}
          onInput={({ currentTarget }) => later(currentTarget.value, 250)}
        />
        <kbd aria-hidden="true">/</kbd>
      </label>
    </form>
  )
}

function Conflicts() {
  const { answer } = useFresh<ConflictList>('/api/conflicts')
  const count = answer?.pairs.length ?? 0
  if (count === 0) return null
  return (
    <p class="banner is-paused conflicts-banner">
      {countOf(count, 'note was', 'notes were')} changed in two places, and a sync program kept both texts.{' '}
      <a href="/memory/conflicts">Compare them</a>
    </p>
  )
}

export function Refused({ error }: { readonly error: Error }) {
  return (
    <Empty title="Memory cannot be read now">
      <p>{error.message}</p>
      <div class="commands">
        <CopyCommand words="doctor" label="Copy the command that says what is wrong" />
      </div>
    </Empty>
  )
}

function NoMemory() {
  return (
    <Empty title="No notes yet">
      <p>
        A note is what should still be known next week: a decision, a fix, a wish of yours. Agents save notes while they
        work, and you can save some yourself. Each is a Markdown file that you own.
      </p>
      {about.value.canWrite ? (
        <a class="button is-main" href="/memory/new">
          Save the first note
        </a>
      ) : (
        <div class="commands">
          <CopyCommand words='save "Staging restarts at 04:00 UTC."' />
          <CopyCommand words="view --write" />
        </div>
      )}
      <p class="meta">
        To bring notes from other programs: <code>{typed('import')}</code>
      </p>
    </Empty>
  )
}
