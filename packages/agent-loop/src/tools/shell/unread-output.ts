/** What a program wrote and nobody has read yet. If it is more than fits, the oldest part is dropped, and counted. */
import { OutputTail } from '../../programs/output-tail.ts'

export class UnreadOutput {
  readonly #maxBytes: number
  #tail: OutputTail
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
    this.#tail = new OutputTail(maxBytes)
  }

  add(chunk: Buffer): void {
    this.#tail.add(chunk)
    this.#bytes += chunk.length
  }

  get isEmpty(): boolean {
    return this.#bytes === 0
  }

  take(): { readonly text: string; readonly droppedBytes: number } {
    const { text } = this.#tail
    const droppedBytes = this.#tail.cut ? this.#bytes - Buffer.byteLength(text) : 0
    this.#tail = new OutputTail(this.#maxBytes)
    this.#bytes = 0
    return { text, droppedBytes }
  }
}
