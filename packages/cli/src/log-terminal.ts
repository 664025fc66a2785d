/** Standard error as a log that programs read: with `--log json`, one JSON object per line. */
import type { Terminal } from './terminal.ts'

export type LogLevel = 'info' | 'warn' | 'error'

/** One line of the log. `message` is what a person would have read. */
export interface LogEvent {
  readonly level?: LogLevel
  /** What happened, such as `step.done`; `note` for a text that is not about one thing. */
  readonly event: string
  readonly message: string
  readonly [fact: string]: string | number | boolean | undefined
}

export const logOption = {
  value: 'FORMAT',
  help: 'text, or json: one JSON object per line on standard error (default: text)',
}

/** Whether a command line asks for it. Read before the command is known, so that errors are such lines, too. */
export function asksForJsonLog(argv: readonly string[]): boolean {
  return argv.some((word, i) => word === '--log=json' || (word === '--log' && argv[i + 1] === 'json'))
}

/** The same terminal. Whatever a command prints on standard error becomes a line of the log, and nothing is drawn. */
export function logTerminal(terminal: Terminal, now: () => Date = () => new Date()): Terminal {
  const event = ({ level = 'info', ...facts }: LogEvent): void =>
    terminal.err(`${JSON.stringify({ time: now().toISOString(), level, pid: process.pid, ...facts })}\n`)
  return {
    ...terminal,
    width: undefined,
    event,
    err(text) {
      for (const message of text.split(/[\r\n]+/))
        if (message.trim() !== '') event({ event: 'note', message: message.trim() })
    },
  }
}

/** Tells what happened: as an event of the log if it is one, else as a line for people. */
export function tell(terminal: Terminal, event: LogEvent): void {
  if (terminal.event === undefined) terminal.err(`${event.message}\n`)
  else terminal.event(event)
}
