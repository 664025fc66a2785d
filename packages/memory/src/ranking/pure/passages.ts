/**
 * The parts of a note that can answer a question alone: a list item, a turn of a conversation, or a paragraph; long paragraphs are
 * split into sentences. Each knows its position, so that an answer can show exactly what matched.
 */
export interface Passage {
  readonly start: number
  readonly end: number
}

// A paragraph up to this length is one passage.
const longestWhole = 400
const longestJoined = 300

/** The parts of a note that can answer a question alone. */
export function passagesOf(text: string): Passage[] {
  return linesOf(text).flatMap((line) => (line.end - line.start <= longestWhole ? [line] : sentencesOf(text, line)))
}

/** Joins neighbouring passages for context: `size` at a time, starting every `step` passages. */
export function windowsOf(passages: readonly Passage[], { size, step }: { size: number; step: number }): Passage[] {
  const windows: Passage[] = []
  for (let first = 0; first < passages.length; first += step) {
    const start = passages[first]?.start ?? 0
    const last = Math.min(first + size, passages.length) - 1
    windows.push({ start, end: passages[last]?.end ?? start })
    if (last === passages.length - 1) break
  }
  return windows
}

function linesOf(text: string): Passage[] {
  return Array.from(text.matchAll(/[^\r\n]*\S[^\r\n]*/g), (match) => ({
    start: match.index,
    end: match.index + match[0].length,
  }))
}

/** Splits into sentences and joins short ones. A sentence without an end is cut, so that no passage is a whole book. */
function sentencesOf(text: string, line: Passage): Passage[] {
  const passages: Passage[] = []
  let { start } = line
  let end = start
  for (const match of text
    .slice(line.start, line.end)
    .matchAll(/[\s\S]{1,400}?(?:[.!?](?=\s|$)\s*|[。！？]|$)|[\s\S]{1,400}/gu)) {
    const next = line.start + match.index + match[0].length
    if (next - start > longestJoined && end > start) {
      passages.push({ start, end })
      start = end
    }
    end = next
  }
  if (end > start) passages.push({ start, end })
  return passages
}
