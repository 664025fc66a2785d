/**
 * `status --watch`: on a terminal, a screen that is updated every second. In a file or a pipe, the status is printed again after each
 * change of a plan. Ends with Ctrl-C, or when the plan that it watches has ended.
 */
import type { Answer, Call } from '../../command.ts'
import { endSignal } from '../../end-signal.ts'

export interface Look {
  readonly answer: Answer
  /** Nothing will change any more. */
  readonly isOver: boolean
}

const betweenLooksMs = 1000

export async function watchStatus({ terminal }: Pick<Call, 'terminal'>, look: () => Promise<Look>): Promise<Answer> {
  const end = endSignal()
  const screen = terminal.openScreen?.()
  let printed = ''
  try {
    for (;;) {
      const { answer, isOver } = await look()
      if (isOver || end.aborted) return screen === undefined && printed === stateOf(answer) ? nothing(answer) : answer
      if (screen !== undefined)
        screen.show(`${answer.text}\n\n${terminal.dim('Ctrl-C ends this view and stops nothing.')}`)
      else if (printed !== stateOf(answer)) {
        printed = stateOf(answer)
        terminal.say(`${answer.text}\n\n`)
      }
      await pause(end)
    }
  } finally {
    screen?.close()
  }
}

/** What tells one state from another: everything but how long ago it was. */
function stateOf({ data }: Answer): string {
  return JSON.stringify(data)
}

function nothing(answer: Answer): Answer {
  return { ...answer, text: '', exact: true }
}

async function pause(end: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const over = (): void => {
      clearTimeout(timer)
      end.removeEventListener('abort', over)
      resolve()
    }
    const timer = setTimeout(over, betweenLooksMs)
    end.addEventListener('abort', over)
  })
}
