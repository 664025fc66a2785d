/**
 * Converts text to the words of a PostgreSQL index, and a query to a search in it. The server's own parser treats `a.b.c` as one host name
 * and splits other words differently. Here words are the same as in every other store. No stemming.
 */
import { lexicalTerms, lexicalText } from '@agentm/nodes/store-kit'

/** The server refuses index entries over a megabyte. Text beyond this limit is found only by its vector. */
const maxBytes = 500_000
const maxWords = 50_000
const maxWordLength = 300

const word = /[\p{L}\p{N}\p{M}]+/gu

/** The literal of a `tsvector`. */
export function lexemes(text: string): string {
  const positions = new Map<string, number[]>()
  let bytes = 0
  let position = 0
  for (const [found] of lexicalText(text).matchAll(word)) {
    position += 1
    if (position > maxWords || bytes > maxBytes) break
    const lexeme = found.toLowerCase().slice(0, maxWordLength).toWellFormed()
    const known = positions.get(lexeme)
    if (known === undefined) {
      positions.set(lexeme, [position])
      bytes += 3 * lexeme.length + 8
    } else if (known.length < maxPositions) {
      known.push(position)
      bytes += 2
    }
  }
  return [...positions]
    .map(([lexeme, at]) => `${quoted(lexeme)}:${at.map((each) => Math.min(each, last)).join(',')}`)
    .join(' ')
}

const maxPositions = 200
const last = 16_383

/** The literal of a `tsquery` that matches any word of the query; `undefined` if it has no words. */
export function lexemeQuery(text: string): string | undefined {
  const phrases = lexicalTerms(text).map((phrase) =>
    phrase.map((term) => quoted(term.toLowerCase().slice(0, maxWordLength).toWellFormed())).join(' <-> '),
  )
  return phrases.length === 0 ? undefined : phrases.map((phrase) => `(${phrase})`).join(' | ')
}

function quoted(lexeme: string): string {
  return `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
}
