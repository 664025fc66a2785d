/**
 * Tells waiting readers that somebody committed: this process at the loop's next turn, others through the write-ahead log's file events,
 * and through a look at `data_version` every 25 ms, because file events are a courtesy and not a promise. An event says that
 * the log is being written, which is before its flush and before anybody may see it: looks follow it more closely for a
 * while. Costs nothing while nobody waits.
 */
import { type FSWatcher, watch } from 'node:fs'
import type { Connection } from './connection.ts'

const floorMs = 25
const closelyMs = 1

export class ChangeSignal {
  readonly #reader: Connection
  readonly #walPath: string
  readonly #waiting = new Set<() => void>()
  #timer: NodeJS.Timeout | undefined
  #telling: NodeJS.Immediate | undefined
  #closely: NodeJS.Timeout | undefined
  #looksLeft = 0
  #watcher: FSWatcher | undefined
  #seen: number
  #closed = false

  constructor(reader: Connection, path: string) {
    this.#reader = reader
    this.#walPath = `${path}-wal`
    this.#seen = this.#version()
  }

  /** Resolves at the next commit anywhere, at the signal, or on close. `isStale` is asked once, before waiting. */
  wait(isStale: () => boolean, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const resume = () => {
        this.#waiting.delete(resume)
        signal?.removeEventListener('abort', resume)
        if (this.#waiting.size === 0) this.#rest()
        resolve()
      }
      this.#waiting.add(resume)
      signal?.addEventListener('abort', resume)
      this.#listen()
      if (this.#closed || signal?.aborted === true || isStale()) resume()
    })
  }

  /** A commit of this process. Those of one turn of the loop are told together, so that a row of commits is read in few pages. */
  notify(): void {
    if (this.#waiting.size > 0) this.#telling ??= setImmediate(() => this.#tell())
  }

  close(): void {
    this.#closed = true
    this.#tell()
    this.#rest()
    this.#lookAway()
    this.#unwatch()
  }

  #tell(): void {
    clearImmediate(this.#telling)
    this.#telling = undefined
    for (const resume of this.#waiting) resume()
  }

  #listen(): void {
    if (this.#closed) return
    this.#timer ??= setInterval(() => this.#look(), floorMs)
    if (this.#watcher !== undefined) return
    try {
      this.#watcher = watch(this.#walPath, { persistent: false }, () => this.#hear())
      this.#watcher.on('error', () => this.#unwatch())
    } catch {
      // No watches left, or the file is between two lives: the timer finds out all the same.
      this.#unwatch()
    }
  }

  #unwatch(): void {
    this.#watcher?.close()
    this.#watcher = undefined
  }

  #rest(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  /** A flush that takes longer than this is left to the floor. */
  #hear(): void {
    if (this.#closed) return
    this.#look()
    this.#looksLeft = floorMs / closelyMs
    this.#closely ??= setInterval(() => {
      this.#look()
      this.#looksLeft -= 1
      if (this.#looksLeft <= 0) this.#lookAway()
    }, closelyMs)
  }

  #lookAway(): void {
    clearInterval(this.#closely)
    this.#closely = undefined
  }

  #look(): void {
    if (this.#closed || this.#waiting.size === 0) return
    const version = this.#version()
    if (version === this.#seen) return
    this.#seen = version
    this.#tell()
  }

  #version(): number {
    return this.#reader.number('pragma data_version')
  }
}
