/** A draft survives a wrong click and a reload of the tab. It is gone with the tab, or once it is saved. */
import type { NoteDraft } from './pure/note-draft.ts'

const nameOf = (key: string): string => `agentm-draft ${key}`

interface Kept {
  readonly hash: string
  readonly draft: NoteDraft
}

export function keepDraft(key: string, kept: Kept): void {
  try {
    sessionStorage.setItem(nameOf(key), JSON.stringify(kept))
  } catch {
    // Too long for the browser to keep; the form still has it.
  }
}

export function dropDraft(key: string): void {
  sessionStorage.removeItem(nameOf(key))
}

export function keptDraft(key: string): Kept | undefined {
  const text = sessionStorage.getItem(nameOf(key))
  return text === null ? undefined : (JSON.parse(text) as Kept)
}
