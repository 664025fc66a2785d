/**
 * The items of a JSON file whose value is a list, one after the other. Only one item is in memory at a time, because an export of
 * conversations can be larger than the memory of the machine.
 */
import { createReadStream } from 'node:fs'
import { ImportFileError } from './import-file-error.ts'

/** In bytes. A longer item is refused. */
const longestItem = 256_000_000

export interface JsonItem {
  /** Such as `item 7`. */
  readonly place: string
  readonly value: unknown
}

export async function* jsonArray(file: string): AsyncGenerator<JsonItem> {
  const splitter = new ArraySplitter(file)
  // Not `for await` over the items of a chunk at once: the file is read as fast as the items are used.
  for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20 })) yield* splitter.items(chunk as Buffer)
  splitter.end()
}

const [open, close, comma, quote, backslash] = Buffer.from('[],"\\')
const [brace, endBrace] = Buffer.from('{}')
const bom = [0xef, 0xbb, 0xbf]

/** Finds where the items of the list begin and end. Whether each is valid JSON is seen when it is parsed. */
class ArraySplitter {
  readonly #file: string
  #state: 'before' | 'inside' | 'after' = 'before'
  #depth = 0
  #isText = false
  #isEscaped = false
  /** The bytes of the present item that came in earlier chunks. */
  #begun: Buffer[] = []
  #size = 0
  #count = 0
  #offset = 0

  constructor(file: string) {
    this.#file = file
  }

  *items(chunk: Buffer): Generator<JsonItem> {
    let start = 0
    for (let i = 0; i < chunk.length; i++) {
      const byte = chunk[i] ?? 0
      if (this.#state !== 'inside') {
        start = i + 1
        this.#outside(byte, this.#offset + i)
      } else if (this.#isText) this.#inText(byte)
      else if (byte === quote) this.#isText = true
      else if (byte === brace || byte === open) this.#depth++
      else if (this.#depth > 0 && (byte === endBrace || byte === close)) this.#depth--
      else if (this.#depth === 0 && (byte === comma || byte === close)) {
        yield* this.#item(chunk.subarray(start, i), byte === close)
        start = i + 1
        if (byte === close) this.#state = 'after'
      }
    }
    if (this.#state === 'inside') this.#keep(chunk.subarray(start))
    this.#offset += chunk.length
  }

  end(): void {
    if (this.#state === 'after') return
    if (this.#state === 'before') throw new ImportFileError({ file: this.#file }, 'the file is empty.')
    throw new ImportFileError({ file: this.#file, place: this.#place() }, 'the file ends in the middle. Copy it again.')
  }

  #outside(byte: number, at: number): void {
    if (isSpace(byte) || (at < bom.length && byte === bom[at])) return
    if (this.#state === 'before' && byte === open) {
      this.#state = 'inside'
      return
    }
    const what = this.#state === 'before' ? 'the file is not a JSON list.' : 'something follows the end of the list.'
    throw new ImportFileError({ file: this.#file, place: `byte ${at + 1}` }, what)
  }

  #inText(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false
    else if (byte === backslash) this.#isEscaped = true
    else if (byte === quote) this.#isText = false
  }

  #keep(bytes: Buffer): void {
    this.#size += bytes.length
    if (this.#size > longestItem)
      throw new ImportFileError({ file: this.#file, place: this.#place() }, 'the item is larger than 256 MB.')
    this.#begun.push(bytes)
  }

  *#item(bytes: Buffer, isLast: boolean): Generator<JsonItem> {
    this.#keep(bytes)
    const whole = this.#begun.length === 1 ? (this.#begun[0] ?? bytes) : Buffer.concat(this.#begun)
    const place = this.#place()
    this.#begun = []
    this.#size = 0
    const text = decoded(whole, { file: this.#file, place })
    if (isLast && this.#count === 0 && text.trim() === '') return
    this.#count++
    yield { place, value: parsedJson(text, { file: this.#file, place }) }
  }

  #place(): string {
    return `item ${this.#count + 1}`
  }
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}

interface JsonPlace {
  readonly file: string
  readonly place?: string
}

/** Text in UTF-8. Anything else is refused, because replaced characters would be lost. */
export function decoded(bytes: Uint8Array, at: JsonPlace): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new ImportFileError(at, 'it is not UTF-8 text.', { cause })
  }
}

export function parsedJson(text: string, at: JsonPlace): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch (cause) {
    throw new ImportFileError(at, `it is not valid JSON: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    })
  }
}
