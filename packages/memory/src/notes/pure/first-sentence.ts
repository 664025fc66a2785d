/**
 * The first sentence of a line. The sentence rules of Unicode are followed for plain ASCII text, because the segmenter of the runtime takes
 * seven milliseconds to load, which is long for a hook. It is used for everything else.
 */

export function firstSentence(line: string): string {
  if (/^[\t\x20-\x7e]*$/.test(line)) return firstAscii(line).trim()
  const sentences = new Intl.Segmenter('en', { granularity: 'sentence' }).segment(line)
  return sentences.containing(0)?.segment.trim() ?? line
}

function firstAscii(line: string): string {
  for (const { index, 0: whole, 1: mark = '' } of line.matchAll(/([.!?])["'()[\]{}]*[ \t]*/g)) {
    const end = index + whole.length
    if (!goesOn(line.slice(end), { mark, isBare: whole === mark, before: line[index - 1] ?? '' }))
      return line.slice(0, end)
  }
  return line
}

interface Mark {
  readonly mark: string
  /** Whether neither a closing mark nor a space follows it. */
  readonly isBare: boolean
  readonly before: string
}

/** Whether the sentence goes on after a mark that usually ends one. */
function goesOn(rest: string, { mark, isBare, before }: Mark): boolean {
  if (/^[,:.!?-]/.test(rest)) return true
  if (mark !== '.') return false
  if (isBare && (/^\d/.test(rest) || (/[A-Za-z]/.test(before) && /^[A-Z]/.test(rest)))) return true
  return /^[^A-Za-z.!?]*[a-z]/.test(rest)
}
