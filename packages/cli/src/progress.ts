/**
 * How far a long command is. On a terminal: one line that is updated and finally removed. In a file or a pipe: a line now and then. Short
 * commands say nothing, and neither does `--json`. In a log of JSON lines: an event each second.
 */
import type { Call } from './command.ts'
import { tell } from './log-terminal.ts'
import { progressText } from './pure/progress-text.ts'

export interface Progress {
  /** `doing` begins a sentence, such as `Making vectors`. When it changes, another part of the work has begun. */
  show(doing: string, done: number, total?: number): void
  /** Removes the line. */
  clear(): void
}

export interface ProgressOptions {
  /** What a person should know, such as that Ctrl-C pauses. */
  readonly hint?: string
  readonly now?: () => number
}

const silentMs = 1_000
const terminalMs = 200
const quietMs = 30_000
const logMs = 1_000

export function progressOf(
  { terminal, json }: Pick<Call, 'terminal' | 'json'>,
  { hint, now = () => performance.now() }: ProgressOptions = {},
): Progress {
  if (json && terminal.event === undefined) return { show: () => {}, clear: () => {} }
  const { width, event } = terminal
  const tail = hint === undefined ? '' : `. ${hint}`
  const began = now()
  let part = { doing: '', from: began }
  let shownAt: number | undefined
  let length = 0
  return {
    show(doing, done, total) {
      const at = now()
      if (doing !== part.doing) part = { doing, from: at }
      const sinceShown = shownAt === undefined ? Infinity : at - shownAt
      const pauseMs = event !== undefined ? logMs : width === undefined ? quietMs : terminalMs
      if (at - began < silentMs || sinceShown < pauseMs) return
      shownAt = at
      const text = `${progressText({ doing, done, total, tookMs: at - part.from })}${tail}`
      if (width === undefined) return tell(terminal, { event: 'progress', message: text, doing, done, total })
      const line = text.slice(0, width - 1)
      terminal.err(`\r${line.padEnd(length)}`)
      length = line.length
    },
    clear() {
      if (length > 0) terminal.err(`\r${' '.repeat(length)}\r`)
      length = 0
    },
  }
}
