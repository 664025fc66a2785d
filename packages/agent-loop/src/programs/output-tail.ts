/** Keeps the end of a stream up to a number of bytes, without splitting a character. */
export class OutputTail {
  readonly #maxBytes: number
  #chunks: Buffer[] = []
  #bytes = 0
  #cut = false

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  add(chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#bytes += chunk.length
    if (this.#bytes <= 2 * this.#maxBytes) return
    const tail = Buffer.concat(this.#chunks).subarray(-this.#maxBytes)
    this.#chunks = [tail]
    this.#bytes = tail.length
    this.#cut = true
  }

  get cut(): boolean {
    return this.#cut || this.#bytes > this.#maxBytes
  }

  get text(): string {
    const all = Buffer.concat(this.#chunks)
    if (!this.cut) return all.toString('utf8')
    let from = Math.max(0, all.length - this.#maxBytes)
    while (from < all.length && isContinuation(all[from])) from += 1
    return all.subarray(from).toString('utf8')
  }

  get lastLine(): string {
    return this.text.trimEnd().split('\n').at(-1)?.trim() ?? ''
  }
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80
}
