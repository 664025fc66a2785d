import type { Call } from '../../command.ts'

const betweenMs = 200

export interface ProgressLine {
  show(text: string): void
  clear(): void
}

/** One line on a terminal, updated now and then. Elsewhere nothing, because the answer is what a program wants. */
export function progressLine({ terminal, json }: Pick<Call, 'terminal' | 'json'>): ProgressLine {
  if (json || terminal.width === undefined) return { show: () => {}, clear: () => {} }
  let shownAt = -Infinity
  let length = 0
  return {
    show(text) {
      const at = performance.now()
      if (at - shownAt < betweenMs) return
      shownAt = at
      terminal.err(`\r${text.padEnd(length)}`)
      length = text.length
    },
    clear() {
      if (length > 0) terminal.err(`\r${' '.repeat(length)}\r`)
      length = 0
      shownAt = -Infinity
    },
  }
}
