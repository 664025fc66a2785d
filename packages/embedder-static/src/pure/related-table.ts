/**
 * The list of related words, as a file. All numbers are little-endian:
 *
 *     'related-word' · u32 format · u32 words · u32 relations
 *     u32 relationsEnd[words] · u32 wordEnd[words] · u16 row[relations] · u8 likeness[relations] · words (UTF-8, one per line)
 *
 * `wordEnd` counts bytes from the first word; a likeness is 1 at 255.
 */
import { StaticTableError } from '../static-table-error.ts'
import { withinTwoErrors } from './within-two-errors.ts'
import { wordIndex } from './word-index.ts'

/** A word that can stand for another. */
export interface RelatedWord {
  readonly word: string
  /** 0 to 1; of a synonym about .8, of a word about the same thing .5. */
  readonly likeness: number
}

/** The list, asked word by word. */
export interface RelatedWords {
  /** Gives the words that can stand for a lower-case word, nearest first; none for a word that is not in the list. */
  (word: string): readonly RelatedWord[]
  /**
   * The words of the list that differ from a mistyped one by at most two errors, nearest first. The first letter is rarely wrong, so it is the
   * same. None for a word of the list, because it is written right.
   */
  readonly spelledLike: (word: string) => readonly string[]
}

const magic = 'related-word'
const format = 1
const prefixBytes = magic.length + 12
const mostWords = 65_536

export function parseRelatedWords(bytes: Uint8Array): RelatedWords {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const { words, relations } = parsePrefix(file)
  const wordEndsAt = prefixBytes + words * 4
  const rowsAt = wordEndsAt + words * 4
  const likenessAt = rowsAt + relations * 2
  const textAt = likenessAt + relations
  const isWhole = file.length > textAt && textAt + file.readUInt32LE(rowsAt - 4) + 1 === file.length
  if (!isWhole || file.readUInt32LE(wordEndsAt - 4) !== relations)
    throw new StaticTableError('damaged', 'The list of related words is damaged. Install the package again.')
  const index = wordIndex(bytes.subarray(textAt))
  const endAt = (start: number, i: number) => (i < 0 ? 0 : file.readUInt32LE(start + i * 4))
  const wordOf = (row: number) => {
    const from = row === 0 ? 0 : endAt(wordEndsAt, row - 1) + 1
    return file.toString('utf8', textAt + from, textAt + endAt(wordEndsAt, row))
  }
  const spelledLike = (word: string) => {
    if (word === '' || index.find(word) !== undefined) return []
    const found: { readonly near: string; readonly errors: number }[] = []
    const [first, least, most] = [word.charCodeAt(0), word.length - 2, word.length + 2]
    let from = 0
    for (let row = 0; row < words; row++) {
      const end = file.readUInt32LE(wordEndsAt + row * 4)
      if (file[textAt + from] === first && end - from >= least && end - from <= most) {
        const near = wordOf(row)
        const errors = withinTwoErrors(word, near)
        if (errors !== undefined) found.push({ near, errors })
      }
      from = end + 1
    }
    return found.toSorted((a, b) => a.errors - b.errors).map(({ near }) => near)
  }
  const related = (word: string) => {
    const row = index.find(word)
    if (row === undefined) return []
    const from = endAt(prefixBytes, row - 1)
    return Array.from({ length: endAt(prefixBytes, row) - from }, (_, i) => ({
      word: wordOf(file.readUInt16LE(rowsAt + (from + i) * 2)),
      likeness: file.readUInt8(likenessAt + from + i) / 255,
    }))
  }
  return Object.assign(related, { spelledLike })
}

function parsePrefix(file: Buffer): { words: number; relations: number } {
  if (file.toString('latin1', 0, magic.length) !== magic || file.length < prefixBytes)
    throw new StaticTableError('foreign', 'This file is not a list of related words.')
  const found = file.readUInt32LE(magic.length)
  if (found !== format)
    throw new StaticTableError(
      'version',
      `This list has format ${found}; this version reads format ${format}. Update @agentm/embedder-static.`,
    )
  return { words: file.readUInt32LE(magic.length + 4), relations: file.readUInt32LE(magic.length + 8) }
}

/** Each related word must be a word of the list itself. */
export function encodeRelatedWords(
  list: readonly { readonly word: string; readonly related: readonly RelatedWord[] }[],
): Uint8Array {
  if (list.length === 0 || list.length > mostWords)
    throw new TypeError(`a list has 1 to ${mostWords} words, not ${list.length}`)
  const rows = new Map(list.map(({ word }, i) => [word, i]))
  const all = list.flatMap(({ related }) => related)
  const text = Buffer.from(list.map(({ word }) => `${word}\n`).join(''))
  const wordEndsAt = prefixBytes + list.length * 4
  const rowsAt = wordEndsAt + list.length * 4
  const likenessAt = rowsAt + all.length * 2
  const file = Buffer.alloc(likenessAt + all.length + text.length)
  file.write(magic, 'latin1')
  for (const [i, number] of [format, list.length, all.length].entries())
    file.writeUInt32LE(number, magic.length + i * 4)
  let [relationsEnd, wordEnd] = [0, 0]
  for (const [i, { word, related }] of list.entries()) {
    relationsEnd += related.length
    wordEnd += Buffer.byteLength(word)
    file.writeUInt32LE(relationsEnd, prefixBytes + i * 4)
    file.writeUInt32LE(wordEnd, wordEndsAt + i * 4)
    wordEnd += 1
  }
  for (const [i, { word, likeness }] of all.entries()) {
    const row = rows.get(word)
    if (row === undefined) throw new TypeError(`${word} is related to a word but not in the list`)
    file.writeUInt16LE(row, rowsAt + i * 2)
    file.writeUInt8(Math.round(likeness * 255), likenessAt + i)
  }
  text.copy(file, likenessAt + all.length)
  return file
}
