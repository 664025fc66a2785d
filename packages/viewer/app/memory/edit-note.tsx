/**
 * Edits a note. It is saved only over the text that it was made from; if somebody else changed the note meanwhile, both texts are shown and
 * nothing is lost.
 */
import { useEffect, useRef, useState } from 'preact/hooks'
import { about } from '../about.ts'
import { ApiError, ask, send } from '../api.ts'
import type { NotePage } from '../../src/contract/memory.ts'
import { tellPerson } from '../notices.ts'
import { go } from '../router.ts'
import { made } from '../views/confirm.tsx'
import { noteAddress } from './addresses.ts'
import { Diff } from './diff-view.tsx'
import { dropDraft, keepDraft, keptDraft } from './draft-store.ts'
import { NoteView } from './note-view.tsx'
import { NoteFields } from './note-form.tsx'
import { changeOf, type NoteDraft, objectionTo } from './pure/note-draft.ts'

/** The text that the draft was made from. */
interface Base {
  readonly hash: string
  readonly text: string
}

/** The note is asked for once, as it is when somebody begins: whatever becomes of it meanwhile, the form stays. */
export function NoteEditor({ at }: { readonly at: string }) {
  const [note, setNote] = useState<NotePage | Error | undefined>(undefined)
  useEffect(() => {
    const end = new AbortController()
    const look = async () => {
      try {
        setNote(await ask<NotePage>(`/api/note?at=${encodeURIComponent(at)}`, end.signal))
      } catch (error) {
        if (!end.signal.aborted) setNote(error instanceof Error ? error : new Error(String(error)))
      }
    }
    void look()
    return () => end.abort()
  }, [at])
  if (note === undefined) return <p class="meta">Reading the note…</p>
  // The note itself says what is wrong.
  if (note instanceof Error || note.fixed !== undefined) return <NoteView at={at} as="text" />
  return <EditNote note={note} />
}

function EditNote({ note }: { readonly note: NotePage }) {
  const [kept] = useState(() => keptDraft(note.key))
  const [draft, setDraft] = useState<NoteDraft>(() => kept?.draft ?? draftOf(note))
  const [base, setBase] = useState<Base>({ hash: kept?.hash ?? note.hash, text: note.text })
  const [theirs, setTheirs] = useState<NotePage | undefined>(
    kept !== undefined && kept.hash !== note.hash ? note : undefined,
  )
  const [isSaving, setSaving] = useState(false)
  useEffect(() => {
    document.title = `Edit ${note.title} · agentm`
  }, [note.title])
  const change = (next: NoteDraft) => {
    setDraft(next)
    keepDraft(note.key, { hash: base.hash, draft: next })
  }
  const leave = () => {
    dropDraft(note.key)
    go(noteAddress(note.key))
  }
  const save = async () => {
    setSaving(true)
    try {
      const { message } = await send('memory', changeOf(draft, { key: note.key, hash: base.hash }))
      made.value++
      tellPerson(message)
      leave()
    } catch (error) {
      if (error instanceof ApiError && error.code === 'CONCURRENT_MODIFICATION') await meet(note.key, setTheirs)
      else tellPerson(error instanceof Error ? error.message : String(error), true)
    }
    setSaving(false)
  }
  const settle = (next: NoteDraft, on: NotePage) => {
    setTheirs(undefined)
    setBase({ hash: on.hash, text: on.text })
    setDraft(next)
    keepDraft(note.key, { hash: on.hash, draft: next })
  }
  const objection = objectionTo(draft)
  return (
    <form
      class="note-form"
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <p class="crumbs">
        <a href="/memory">Memory</a> / <a href={noteAddress(note.key)}>{note.title}</a> /
      </p>
      <h1>Edit</h1>
      {theirs !== undefined && <Both mine={draft} theirs={theirs} onSettled={settle} />}
      <NoteFields draft={draft} onDraft={change} hasTags={draft.how === 'correct'} />
      <How draft={draft} onDraft={change} />
      <div class="buttons">
        <button type="button" class="button" onClick={leave}>
          Discard
        </button>
        <button
          type="submit"
          class="button is-main"
          disabled={objection !== '' || isSaving || theirs !== undefined || !about.value.canWrite}
          title={theirs === undefined ? objection : 'Decide first which text to go on with.'}
        >
          {draft.how === 'replace' ? 'Replace the note' : 'Save'}
        </button>
      </div>
    </form>
  )
}

function draftOf({ text, title, tags, kind }: NotePage): NoteDraft {
  return { text, title, tags: tags.join(' '), kind, isPersonal: false, how: 'correct', reason: '' }
}

async function meet(key: string, show: (theirs: NotePage) => void): Promise<void> {
  try {
    show(await ask<NotePage>(`/api/note?at=${encodeURIComponent(key)}`))
  } catch (error) {
    tellPerson(error instanceof Error ? error.message : String(error), true)
  }
}

function How({ draft, onDraft }: { readonly draft: NoteDraft; readonly onDraft: (draft: NoteDraft) => void }) {
  const choose = (how: NoteDraft['how']) => onDraft({ ...draft, how })
  return (
    <fieldset class="how">
      <legend>What are you doing?</legend>
      <label class="check">
        <input type="radio" name="how" checked={draft.how === 'correct'} onChange={() => choose('correct')} />
        <span>
          <b>Correcting it.</b> The same note in better words. The old words are not kept.
        </span>
      </label>
      <label class="check">
        <input type="radio" name="how" checked={draft.how === 'replace'} onChange={() => choose('replace')} />
        <span>
          <b>Replacing it.</b> It is no longer true. The old text stays in the history.
        </span>
      </label>
      {draft.how === 'replace' && (
        <label class="field">
          <span>What changed?</span>
          <input
            type="text"
            value={draft.reason}
            maxLength={500}
            required
            onInput={({ currentTarget }) => onDraft({ ...draft, reason: currentTarget.value })}
          />
        </label>
      )}
    </fieldset>
  )
}

interface BothProps {
  readonly mine: NoteDraft
  readonly theirs: NotePage
  readonly onSettled: (next: NoteDraft, on: NotePage) => void
}

/** Whatever is chosen, both texts stay: one in the form, the other in the store or in its history. */
function Both({ mine, theirs, onSettled }: BothProps) {
  const title = useRef<HTMLHeadingElement>(null)
  // It appears above a form that may be longer than the screen.
  useEffect(() => title.current?.focus(), [theirs])
  const isActive = theirs.status === 'active' && theirs.fixed === undefined
  return (
    <section class="both" aria-labelledby="both-title">
      <h2 id="both-title" ref={title} tabIndex={-1}>
        Somebody changed this note while you wrote
      </h2>
      <p>Nothing was saved, and nothing is lost. This is what yours changes in theirs:</p>
      <Diff before={theirs.text} after={mine.text} label="From their text to yours" />
      <details>
        <summary>Their text</summary>
        <pre class="value" tabIndex={0}>
          {theirs.text}
        </pre>
      </details>
      {isActive ? (
        <div class="buttons is-left">
          <button
            type="button"
            class="button is-main"
            onClick={() =>
              onSettled(
                { ...mine, how: 'replace', reason: mine.reason === '' ? 'changed in two places at once' : mine.reason },
                theirs,
              )
            }
          >
            Go on with mine, and keep theirs in the history
          </button>
          <button
            type="button"
            class="button"
            onClick={() => onSettled({ ...mine, text: `${theirs.text}\n\n---\n\n${mine.text}` }, theirs)}
          >
            Put both into the form
          </button>
        </div>
      ) : (
        <p>
          The note is {theirs.status === 'deleted' ? 'forgotten' : 'not to be edited'} now. Copy your text before you
          leave.
        </p>
      )}
    </section>
  )
}
