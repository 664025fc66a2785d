/** What somebody has typed into the form of a note. */
export interface NoteDraft {
  readonly text: string
  readonly title: string
  /** With spaces or commas between them. */
  readonly tags: string
  readonly kind: string
  readonly isPersonal: boolean
  /** `correct`: the same note in better words. `replace`: the note is no longer true, and its old text is kept. */
  readonly how: 'correct' | 'replace'
  readonly reason: string
}

export function tagsIn(text: string): readonly string[] {
  return [...new Set(text.split(/[\s,]+/).map((tag) => tag.replace(/^#/, '').toLowerCase()))].filter(
    (tag) => tag !== '',
  )
}

/** What stands in the way of saving; empty if nothing does. */
export function objectionTo({ text, how, reason }: NoteDraft): string {
  if (text.trim() === '') return 'A note needs a text.'
  if (how === 'replace' && reason.trim() === '') return 'Say what changed.'
  return ''
}

/** The change that saves the draft over the note with this key and this hash. */
export function changeOf(draft: NoteDraft, { key, hash }: { readonly key: string; readonly hash: string }): object {
  const { text, title, tags, how, reason } = draft
  const named = { key, text, title: title.trim(), ifHash: hash }
  return how === 'replace'
    ? { do: 'supersede', ...named, reason: reason.trim() }
    : { do: 'edit', ...named, tags: tagsIn(tags) }
}
