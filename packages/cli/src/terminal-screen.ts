/** A screen of its own, as `top` has: what was printed before comes back when it is closed. */
import { harmlessText } from './pure/harmless-text.ts'
import { linesThatFit } from './pure/lines-that-fit.ts'

export interface Screen {
  /** Shows this text instead of the previous one, as much of it as fits. */
  show(text: string): void
  /** Brings back what was there before. */
  close(): void
}

type Output = Pick<NodeJS.WriteStream, 'write' | 'rows' | 'columns'>

export function terminalScreen(output: Output): Screen {
  output.write(`${enter}${hideCursor}`)
  return {
    show(text) {
      const size = { rows: output.rows || 24, columns: output.columns || 80 }
      const lines = linesThatFit(harmlessText(text).split('\n'), size)
      output.write(`${home}${lines.map((line) => `${line}${clearLine}`).join('\n')}${clearBelow}`)
    },
    close: () => void output.write(`${showCursor}${leave}`),
  }
}

const enter = '\u001B[?1049h'
const leave = '\u001B[?1049l'
const hideCursor = '\u001B[?25l'
const showCursor = '\u001B[?25h'
const home = '\u001B[H'
const clearLine = '\u001B[0m\u001B[K'
const clearBelow = '\u001B[J'
