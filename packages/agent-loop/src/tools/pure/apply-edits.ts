/** Makes several replacements in a text, or none. */
export interface Edit {
  readonly find: string
  readonly replace: string
  /** Whether every occurrence is replaced (default: there must be exactly one). */
  readonly all?: boolean
}

export type Edited = { readonly text: string } | { readonly edit: number; readonly times: number }

/** Each edit sees what the ones before it left. The result names the first one that does not fit, and how often its text occurs. */
export function applyEdits(text: string, edits: readonly Edit[]): Edited {
  let done = text
  for (const [i, edit] of edits.entries()) {
    const find = endingLike(text, edit.find)
    const pieces = done.split(find)
    const times = pieces.length - 1
    if (times === 0 || (times > 1 && edit.all !== true)) return { edit: i + 1, times }
    done = pieces.join(endingLike(text, edit.replace))
  }
  return { text: done }
}

/** What the text was before these edits, if that can be told. The caller compares it with what is known of that text. */
export function undoEdits(text: string, edits: readonly Edit[]): string | undefined {
  if (edits.some(({ replace }) => replace === '')) return undefined
  const back = edits.toReversed().map(({ find, replace, ...rest }) => ({ ...rest, find: replace, replace: find }))
  const undone = applyEdits(text, back)
  return 'text' in undone ? undone.text : undefined
}

/** Models write lines that end with \n, also for a file whose lines end with \r\n. */
function endingLike(text: string, part: string): string {
  return text.includes('\r\n') && !part.includes('\r') ? part.replaceAll('\n', '\r\n') : part
}
