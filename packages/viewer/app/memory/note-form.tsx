/** The fields of a note, and beside them how it will look. */
import { useIsNarrow } from '../views/windowed.ts'
import { Markdown } from './markdown.tsx'
import type { NoteDraft } from './pure/note-draft.ts'

export interface NoteFormProps {
  readonly draft: NoteDraft
  readonly onDraft: (draft: NoteDraft) => void
  /** A replaced note keeps its tags. */
  readonly hasTags?: boolean
}

export function NoteFields({ draft, onDraft, hasTags = true }: NoteFormProps) {
  const isNarrow = useIsNarrow()
  const set = (change: Partial<NoteDraft>) => onDraft({ ...draft, ...change })
  return (
    <>
      <label class="field">
        <span>Title</span>
        <input
          type="text"
          value={draft.title}
          maxLength={300}
          placeholder="The first line of the text, if it is left empty"
          onInput={({ currentTarget }) => set({ title: currentTarget.value })}
        />
      </label>
      <div class="write">
        <label class="field">
          <span>
            Text <span class="quiet">Markdown</span>
          </span>
          <textarea
            rows={16}
            value={draft.text}
            maxLength={200_000}
            spellcheck
            onInput={({ currentTarget }) => set({ text: currentTarget.value })}
          />
        </label>
        {!isNarrow && (
          <section class="preview" aria-label="How it will look">
            {draft.text.trim() === '' ? <p class="quiet">How it will look.</p> : <Markdown text={draft.text} />}
          </section>
        )}
      </div>
      {hasTags && (
        <label class="field">
          <span>
            Tags <span class="quiet">with spaces between them</span>
          </span>
          <input
            type="text"
            value={draft.tags}
            maxLength={500}
            autocomplete="off"
            onInput={({ currentTarget }) => set({ tags: currentTarget.value })}
          />
        </label>
      )}
    </>
  )
}
