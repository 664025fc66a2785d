/**
 * Words that can stand for other words, so that a question about a doctor finds a note about a physician. English only, from WordNet
 * and the vectors of the word table. The list is a file of its own, which costs less to open than the table.
 */
import { readFile } from 'node:fs/promises'
import { parseRelatedWords, type RelatedWords } from './pure/related-table.ts'

const shipped = new URL('../table/related-words.table', import.meta.url)

/**
 * Opens the list of related words that comes with this package.
 *
 * @example
 * ```ts
 * import { openRelatedWords } from '@agentm/embedder-static/related'
 *
 * const related = await openRelatedWords()
 * console.log(related('physician').some(({ word }) => word === 'doctor')) // true
 * ```
 */
export async function openRelatedWords(): Promise<RelatedWords> {
  return parseRelatedWords(await readFile(shipped))
}
