/** The passage that answers best, with the text around it, so that a person sees where it stands. */
export interface Excerpt {
  readonly before: string
  readonly passage: string
  readonly after: string
}

const around = 220
const mostOfPassage = 1_200

/** `safe` replaces secrets. They are looked for in the whole text, because a cut could hide one. */
export function excerptOf(text: string, passage: string | undefined, safe: (text: string) => string): Excerpt {
  const whole = tight(safe(text))
  const wanted = passage === undefined ? '' : tight(safe(passage)).trim()
  const at = wanted === '' ? -1 : whole.indexOf(wanted)
  if (at < 0) return { before: '', passage: '', after: cut(wanted === '' ? whole : wanted, around * 2) }
  const end = at + wanted.length
  const start = Math.max(0, at - around)
  return {
    before: `${start > 0 ? '…' : ''}${fromWord(whole.slice(start, at), start > 0)}`.trimStart().toWellFormed(),
    passage: cut(wanted, mostOfPassage),
    after: cut(whole.slice(end), around).trimEnd(),
  }
}

/** Without empty lines: an excerpt is short. */
function tight(text: string): string {
  return text.replaceAll(/[^\S\n]*\n\s*\n/g, '\n')
}

/** Not in the middle of a word, where there is a space to begin after. */
function fromWord(text: string, isCut: boolean): string {
  const space = text.search(/\s/)
  return isCut && space >= 0 && space < 40 ? text.slice(space + 1) : text
}

function cut(text: string, most: number): string {
  return text.length <= most
    ? text
    : `${text
        .slice(0, most)
        .replace(/\s+\S{0,30}$/, '')
        .toWellFormed()}…`
}
