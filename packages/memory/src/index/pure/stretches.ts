/**
 * The texts of a note whose meaning is compared with a question. A vector says little about a long text, and each one costs a call of an
 * embedder and space, so a note has one for about every thousand characters, each with the title.
 */
import { passagesOf } from '../../ranking/pure/passages.ts'

const usual = 1000
/** A note of forty pages has the last of them compared by words alone. */
const most = 100

export function stretchesOf(title: string, body: string): readonly string[] {
  const stretches: string[] = []
  let start = 0
  let end = 0
  const take = () => {
    const text = body.slice(start, end).trim()
    if (text !== '' || stretches.length === 0) stretches.push(`${title}\n${text}`.trim())
  }
  for (const passage of passagesOf(body)) {
    if (passage.end - start > usual && end > start) {
      take()
      start = passage.start
    }
    ;({ end } = passage)
  }
  if (end > start || stretches.length === 0) take()
  return stretches.slice(0, most).filter((text) => text !== '')
}
