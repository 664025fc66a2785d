/**
 * The lines of a file that grows, from an offset, in constant memory. A line that is too long is not kept, only measured. A last line
 * without its newline is given only if it is a whole JSON object; otherwise somebody is still writing it.
 */
import { parseObject } from './pure/json-object.ts'
import type { TranscriptFile } from './transcript-files.ts'

/** One line, or the length of one that was too long to be kept. */
export interface FileLine {
  readonly text: string | undefined
  readonly bytes: number
  /** The byte after the line. */
  readonly end: number
  /** The line has no newline yet. */
  readonly isOpen: boolean
}

/** Where to begin, and how long a line may be. */
export interface LineRange {
  readonly from: number
  readonly maxLineBytes: number
  readonly chunkBytes: number
}

const newline = 0x0a

/** The lines from an offset to the end of the file, as it is when each of its parts is read. */
export async function* readLines(file: TranscriptFile, range: LineRange): AsyncIterable<FileLine> {
  const line = new LineBuffer(range.maxLineBytes)
  let offset = range.from
  for (;;) {
    const chunk = await file.read(offset, range.chunkBytes)
    if (chunk.length === 0) break
    let start = 0
    for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, start)) {
      line.add(chunk.subarray(start, at))
      start = at + 1
      yield { ...line.take(), end: offset + start, isOpen: false }
    }
    line.add(chunk.subarray(start))
    offset += chunk.length
  }
  const last = line.take()
  const isWhole = last.text !== undefined && last.bytes > 0 && parseObject(last.text) !== undefined
  if (isWhole) yield { ...last, end: offset, isOpen: true }
}

/** Collects the parts of a line, and forgets them when they are too many. */
class LineBuffer {
  readonly #most: number
  #parts: Uint8Array[] = []
  #bytes = 0
  constructor(most: number) {
    this.#most = most
  }

  add(part: Uint8Array): void {
    this.#bytes += part.length
    if (this.#bytes > this.#most) this.#parts = []
    // A copy, because the part would keep its whole chunk in memory.
    else if (part.length > 0) this.#parts.push(part.slice())
  }

  take(): { readonly text: string | undefined; readonly bytes: number } {
    const bytes = this.#bytes
    const text = bytes > this.#most ? undefined : new TextDecoder().decode(Buffer.concat(this.#parts))
    this.#parts = []
    this.#bytes = 0
    return { text, bytes }
  }
}
