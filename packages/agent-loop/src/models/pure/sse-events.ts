/** Parses server-sent events from text that arrives in pieces: the data of each complete event, and the rest of the text. */
export function sseEvents(buffered: string): { readonly data: readonly string[]; readonly rest: string } {
  // A carriage return at the end may be the first half of a line break.
  const held = buffered.endsWith('\r') ? '\r' : ''
  const lines = buffered.slice(0, buffered.length - held.length).replaceAll(/\r\n?/g, '\n')
  const end = lines.lastIndexOf('\n\n')
  if (end === -1) return { data: [], rest: lines + held }
  const blocks = lines.slice(0, end).split(/\n{2,}/)
  return { data: blocks.flatMap(dataOf), rest: lines.slice(end + 2) + held }
}

/** An event without data, such as a comment that keeps the connection open, is skipped. */
function dataOf(block: string): readonly string[] {
  const lines = block.split('\n').filter((line) => line.startsWith('data:'))
  return lines.length === 0 ? [] : [lines.map((line) => line.slice(5).replace(/^ /, '')).join('\n')]
}
