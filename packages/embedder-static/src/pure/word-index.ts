/**
 * Word → row number over the table's own bytes. Building it is one pass and one integer array; a `Map` of 50,000 strings
 * would cost most of the time it takes to open the table. Whoever asks for a few words alone, as a command with one question
 * does, does not wait for it: those are looked for in the text.
 */
import { hashBytes } from './feature-hash.ts'

export interface WordIndex {
  /** Counts all words, which takes a pass over the text. */
  size(): number
  find(word: string): number | undefined
}

const newline = 10
/** For more words than this, an index is faster. */
const mostLookedFor = 64

export function wordIndex(lines: Uint8Array): WordIndex {
  const ends = new LineEnds(lines)
  const text = Buffer.from(lines.buffer, lines.byteOffset, lines.byteLength)
  let looked = 0
  let index: ((word: string) => number | undefined) | undefined

  function find(word: string): number | undefined {
    if (index === undefined && looked++ < mostLookedFor) return rowIn(text, ends, word)
    index ??= indexOver(lines, ends.all())
    return index(word)
  }

  return { size: () => ends.all().length, find }
}

/** The first line that equals the word. */
function rowIn(text: Buffer, ends: LineEnds, word: string): number | undefined {
  if (word.includes('\n')) return undefined
  const line = Buffer.from(`\n${word}\n`)
  // The first line has no other before it.
  if (text.subarray(0, line.length - 1).equals(line.subarray(1))) return 0
  const at = text.indexOf(line)
  return at === -1 ? undefined : ends.before(at) + 1
}

/**
 * Where each line ends, found as far as it was asked for: frequent words come first, so a question seldom needs the whole table. The
 * vocabulary closes every line, so text after the last newline is a cut word and not counted.
 */
class LineEnds {
  readonly #lines: Uint8Array
  readonly #ends: Uint32Array
  #count = 0
  #looked = 0

  constructor(lines: Uint8Array) {
    this.#lines = lines
    this.#ends = new Uint32Array(lines.length)
  }

  all(): Uint32Array {
    this.#lookUntil(this.#lines.length)
    return this.#ends.subarray(0, this.#count)
  }

  /** How many lines end before this position. */
  before(position: number): number {
    this.#lookUntil(position)
    let [low, high] = [0, this.#count]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#ends[middle] ?? 0) < position) low = middle + 1
      else high = middle
    }
    return low
  }

  #lookUntil(end: number): void {
    const [lines, ends] = [this.#lines, this.#ends]
    let count = this.#count
    for (let at = this.#looked; at < end; at++) if (lines[at] === newline) ends[count++] = at
    this.#count = count
    this.#looked = Math.max(this.#looked, end)
  }
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

function startOf(ends: Uint32Array, row: number): number {
  return row === 0 ? 0 : (ends[row - 1] ?? 0) + 1
}

/** At most half full, so that a probe is short and an absent word always meets an empty slot. */
function slotCount(words: number): number {
  let slots = 16
  while (slots < words * 2) slots *= 2
  return slots
}
