import { type Colours, colours, isPainted } from './colours.ts'
import type { LogEvent } from './log-terminal.ts'
import { endWithReader } from './end-with-reader.ts'
import { type Screen, terminalScreen } from './terminal-screen.ts'
import { harmlessText } from './pure/harmless-text.ts'

/** Where a command prints and asks. It uses colour and asks questions only on a terminal. The colours are for standard output. */
export interface Terminal extends Colours {
  readonly isInteractive: boolean
  /** Columns of the terminal that standard output goes to; absent where it goes to a file or a pipe. */
  readonly columns: number | undefined
  /** Columns of the terminal that standard error goes to; absent where it goes to a file or a pipe. */
  readonly width: number | undefined
  /** Takes the whole terminal; absent where standard output goes to a file or a pipe. */
  readonly openScreen?: () => Screen
  /** Text that is not ours to change: a file, or data. On a terminal, control characters are shown instead of obeyed. */
  out(text: string): void
  /** Text for people. Control characters are shown instead of obeyed, also in a file or a pipe. */
  say(text: string): void
  err(text: string): void
  /** Present with `--log json`: writes one event of the log to standard error. */
  readonly event?: (event: LogEvent) => void
  /** The answer, trimmed; empty where the input ends. Only for an interactive terminal. */
  ask(question: string): Promise<string>
  /** Everything on standard input. */
  readInput(): Promise<string>
  /** Colours for what goes to standard error. */
  readonly onErrors: Colours
}

export function processTerminal(env: Readonly<Record<string, string | undefined>> = process.env): Terminal {
  endWithReader()
  // In this order: reading process.stdin opens it, and few commands need it.
  const isInteractive = process.stdout.isTTY && process.stdin.isTTY
  const { stdout, stderr } = process
  const isDumb = env['TERM'] === 'dumb'
  return {
    isInteractive,
    columns: stdout.isTTY && !isDumb ? stdout.columns || 80 : undefined,
    width: stderr.isTTY && !isDumb ? stderr.columns || 80 : undefined,
    ...(stdout.isTTY && !isDumb && { openScreen: () => terminalScreen(stdout) }),
    out: (text) => void stdout.write(stdout.isTTY ? harmlessText(text) : text),
    say: (text) => void stdout.write(harmlessText(text, { paints: stdout.isTTY || isPainted(stdout, env) })),
    err: (text) => void stderr.write(harmlessText(text, { paints: stderr.isTTY || isPainted(stderr, env) })),
    async ask(question) {
      const { createInterface } = await import('node:readline/promises')
      const lines = createInterface({ input: process.stdin, output: process.stdout })
      try {
        // Closing the input (Ctrl-D) is an empty answer.
        const closed = new Promise<string>((resolve) => lines.once('close', () => resolve('')))
        return (await Promise.race([lines.question(harmlessText(question)), closed])).trim()
      } finally {
        lines.close()
      }
    },
    async readInput() {
      const chunks: Buffer[] = []
      for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk))
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(chunks))
    },
    ...colours(stdout, env),
    onErrors: colours(stderr, env),
  }
}
