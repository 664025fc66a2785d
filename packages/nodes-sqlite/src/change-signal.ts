/**
 * Notifies waiting readers of commits. Commits of this process are reported at the next turn of the event loop. Commits of other processes
 * are noticed by file events of the write-ahead log, and by a check of `data_version` every 25 ms because file events may be lost. An event
 * comes when the log is written, before the commit is flushed and visible, so checks follow it at short intervals for a while. Without
 * waiting readers it does nothing.
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

  /** Resolves at the next commit of any process, when the signal aborts, or on close. `isStale` is called once, before waiting. */
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

  /** Reports a commit of this process. Commits in one turn of the event loop are reported together, so that readers need few pages. */
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
      // The system has no watches left, or the file is being replaced. The timer still finds the commit.
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

  /** Checks repeatedly after a file event. If the flush takes longer than this, the regular timer finds the commit. */
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
