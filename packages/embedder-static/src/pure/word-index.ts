/**
 * Word → row number over the table's own bytes. Building it is one pass and one integer array; a `Map` of 50,000 strings
 * would cost most of the time it takes to open the table. Whoever asks for a few words alone, as a command with one question
 * does, does not wait for it: those are looked for in the text.
 */
import { hashBytes } from './feature-hash.ts'

export interface WordIndex {
  readonly size: number
  find(word: string): number | undefined
}

const newline = 10
/** For more words than this, an index is faster. */
const mostLookedFor = 64

export function wordIndex(lines: Uint8Array): WordIndex {
  const ends = lineEnds(lines)
  const text = Buffer.from(lines.buffer, lines.byteOffset, lines.byteLength)
  let looked = 0
  let index: ((word: string) => number | undefined) | undefined

  function find(word: string): number | undefined {
    if (index === undefined && looked++ < mostLookedFor) return rowIn(text, ends, word)
    index ??= indexOver(lines, ends)
    return index(word)
  }

  return { size: ends.length, find }
}

/** The first line that equals the word. */
function rowIn(text: Buffer, ends: Uint32Array, word: string): number | undefined {
  if (word.includes('\n')) return undefined
  const line = Buffer.from(`\n${word}\n`)
  // The first line has no other before it.
  if (text.subarray(0, line.length - 1).equals(line.subarray(1))) return 0
  const at = text.indexOf(line)
  return at === -1 ? undefined : placeOf(ends, at) + 1
}

/** The position of a word that is in the table. */
function placeOf(ends: Uint32Array, end: number): number {
  let [low, high] = [0, ends.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ends[middle] ?? 0) < end) low = middle + 1
    else high = middle
  }
  return low
}

function indexOver(lines: Uint8Array, ends: Uint32Array): (word: string) => number | undefined {
  const slots = new Int32Array(slotCount(ends.length))
  const mask = slots.length - 1
  let longest = 0
  for (let row = 0, start = 0; row < ends.length; row++) {
    const end = ends[row] ?? start
    longest = Math.max(longest, end - start)
    let slot = hashBytes(lines, start, end) & mask
    while (slots[slot] !== 0) slot = (slot + 1) & mask
    slots[slot] = row + 1
    start = end + 1
  }

  const encoder = new TextEncoder()
  const wanted = new Uint8Array(longest + 1)

  function find(word: string): number | undefined {
    const { read, written } = encoder.encodeInto(word, wanted)
    if (read < word.length || written > longest) return undefined
    let slot = hashBytes(wanted, 0, written) & mask
    for (let row = slots[slot] ?? 0; row !== 0; row = slots[slot] ?? 0) {
      if (isSame(row - 1, written)) return row - 1
      slot = (slot + 1) & mask
    }
    return undefined
  }

  function isSame(row: number, length: number): boolean {
    const start = startOf(ends, row)
    if ((ends[row] ?? start) - start !== length) return false
    for (let i = 0; i < length; i++) if (lines[start + i] !== wanted[i]) return false
    return true
  }

  return find
}

/** Where each line ends. The vocabulary closes every line, so text after the last newline is a cut word and not counted. */
function lineEnds(lines: Uint8Array): Uint32Array {
  const ends = new Uint32Array(lines.length)
  let count = 0
  for (let at = 0; at < lines.length; at++) if (lines[at] === newline) ends[count++] = at
  return ends.slice(0, count)
}

function startOf(ends: Uint32Array, row: number): number {
  return row === 0 ? 0 : (ends[row - 1] ?? 0) + 1
}

/** At most half full, so that a probe is short and an absent word always meets an empty slot. */
function slotCount(words: number): number {
  let slots = 16
  while (slots < words * 2) slots *= 2
  return slots
}
