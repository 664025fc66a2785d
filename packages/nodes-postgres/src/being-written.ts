/** Ids that this process writes now. Whoever wants them meanwhile waits here and not at the server, and then knows what came of it. */
export class BeingWritten {
  readonly #writing = new Map<string, Promise<unknown>>()

  async announce<T>(ids: readonly string[], writing: Promise<T>): Promise<T> {
    for (const id of ids) this.#writing.set(id, writing)
    try {
      return await writing
    } finally {
      for (const id of ids) if (this.#writing.get(id) === writing) this.#writing.delete(id)
    }
  }

  /** Until none of these is being written, whatever came of it. */
  async settled(ids: readonly string[]): Promise<void> {
    if (this.#writing.size === 0) return
    await Promise.allSettled(new Set(ids.flatMap((id) => this.#writing.get(id) ?? [])))
  }
}
