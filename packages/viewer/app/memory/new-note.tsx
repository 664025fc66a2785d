import { useEffect, useState } from 'preact/hooks'
import { about } from '../about.ts'
import { makeChange } from '../views/confirm.tsx'
import { CopyCommand } from '../views/copy-command.tsx'
import { Empty } from '../views/empty.tsx'
import { dropDraft, keepDraft, keptDraft } from './draft-store.ts'
import { NoteFields } from './note-form.tsx'
import { type NoteDraft, objectionTo, tagsIn } from './pure/note-draft.ts'

const nothing: NoteDraft = {
  text: '',
  title: '',
  tags: '',
  kind: 'note',
  isPersonal: false,
  how: 'correct',
  reason: '',
}
const kinds = ['note', 'decision', 'fix', 'fact', 'preference', 'convention', 'workflow', 'reference', 'idea'] as const

export function NewNote() {
  const { canWrite, project } = about.value
  const [draft, setDraft] = useState<NoteDraft>(() => keptDraft('new')?.draft ?? nothing)
  const [isSaving, setSaving] = useState(false)
  useEffect(() => {
    document.title = 'New note · agentm'
  }, [])
  if (!canWrite) return <ReadOnly />
  const change = (next: NoteDraft) => {
    setDraft(next)
    keepDraft('new', { hash: '', draft: next })
  }
  const objection = objectionTo(draft)
  const save = async (event: Event) => {
    event.preventDefault()
    setSaving(true)
    const { text, title, kind, tags, isPersonal } = draft
    const sent = {
      do: 'save',
      text,
      title: title.trim(),
      kind: kind.trim(),
      tags: tagsIn(tags),
      isPersonal: isPersonal || project === '',
    }
    if (await makeChange('memory', sent)) dropDraft('new')
    setSaving(false)
  }
  return (
    <form class="note-form" onSubmit={(event) => void save(event)}>
      <p class="crumbs">
        <a href="/memory">Memory</a> /
      </p>
      <h1>New note</h1>
      <NoteFields draft={draft} onDraft={change} />
      <div class="form-row">
        <label class="field is-short">
          <span>Kind</span>
          <input
            type="text"
            list="note-kinds"
            value={draft.kind}
            maxLength={60}
            onInput={({ currentTarget }) => change({ ...draft, kind: currentTarget.value })}
          />
          <datalist id="note-kinds">
            {kinds.map((kind) => (
              <option key={kind} value={kind} />
            ))}
          </datalist>
        </label>
        {project !== '' && (
          <label class="check">
            <input
              type="checkbox"
              checked={draft.isPersonal}
              onChange={({ currentTarget }) => change({ ...draft, isPersonal: currentTarget.checked })}
            />
            <span>
              For every project, not only for <b>{project}</b>
            </span>
          </label>
        )}
      </div>
      <div class="buttons">
        <a class="button" href="/memory">
          Cancel
        </a>
        <button type="submit" class="button is-main" disabled={objection !== '' || isSaving} title={objection}>
          Save note
        </button>
      </div>
    </form>
  )
}

function ReadOnly() {
  return (
    <Empty title="This page only reads">
      <p>To save notes here, start it with --write. In a terminal, this saves one:</p>
      <div class="commands">
        <CopyCommand words='save --kind decision "We keep the lock outside the vault."' />
        <CopyCommand words="view --write" />
      </div>
    </Empty>
  )
}
