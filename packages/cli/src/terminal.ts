/** Where a command prints and asks. Colour and questions only where a person is looking. */
import { endWithReader } from './end-with-reader.ts'
import { harmlessText } from './pure/harmless-text.ts'

/** Where a command prints and asks. Colours and questions appear only when a person is there. */
export interface Terminal {
  readonly isInteractive: boolean
  /** Where somebody watches what goes to the error stream: the width of that screen. */
  readonly width: number | undefined
  /** As it is, also onto a pipe: somebody's file, or data. A screen is never made to act by it. */
  out(text: string): void
  /** For somebody to read, wherever it goes. */
  say(text: string): void
  err(text: string): void
  /** The answer, trimmed; empty where the input ends. Only for an interactive terminal. */
  ask(question: string): Promise<string>
  /** Everything on standard input. */
  readInput(): Promise<string>
  bold(text: string): string
  dim(text: string): string
  red(text: string): string
}

export function processTerminal(env: Readonly<Record<string, string | undefined>> = process.env): Terminal {
  endWithReader()
  // In this order: to ask what standard input is opens it, and few commands read it.
  const isInteractive = process.stdout.isTTY && process.stdin.isTTY
  const colours = process.stdout.isTTY && !env['NO_COLOR'] && env['TERM'] !== 'dumb'
  const paint = (code: number, text: string) => (colours ? `\u001B[${code}m${text}\u001B[0m` : text)
  return {
    isInteractive,
    width: process.stderr.isTTY && env['TERM'] !== 'dumb' ? process.stderr.columns || 80 : undefined,
    out: (text) => void process.stdout.write(process.stdout.isTTY ? harmlessText(text) : text),
    say: (text) => void process.stdout.write(harmlessText(text, { paints: process.stdout.isTTY })),
    err: (text) => void process.stderr.write(harmlessText(text, { paints: process.stderr.isTTY })),
    async ask(question) {
      const { createInterface } = await import('node:readline/promises')
      const lines = createInterface({ input: process.stdin, output: process.stdout })
      try {
        // Whoever closes the input (Ctrl-D) answers nothing, and is not waited for.
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
    bold: (text) => paint(1, text),
    dim: (text) => paint(2, text),
    red: (text) => paint(31, text),
  }
}
