/** Whether a wait of a function is over, and what the function then gets. */
import type { Entry } from '../entry.ts'
import type { Message } from '../mailbox.ts'

/** What is known when the waits are looked at. */
export interface Seen {
  readonly now: number
  /** The answers that were given to this run, by question id. */
  readonly answers: Readonly<Record<string, { readonly value: string }>>
  /** The messages that no signal has taken, oldest first. */
  readonly messages: readonly Message[]
}

/** The change that ends the wait; `undefined` while it goes on. */
export function settleWait(
  wait: Pick<Entry, 'position' | 'op' | 'name' | 'until'>,
  { now, answers, messages }: Seen,
): Pick<Entry, 'status' | 'value' | 'message'> | undefined {
  const isTimeOver = wait.until !== undefined && wait.until <= now
  switch (wait.op) {
    case 'ask': {
      const answer = answers[questionIdOf(wait.position)]
      return answer === undefined ? over(isTimeOver) : { status: 'done', value: answer.value }
    }
    case 'signal': {
      const message = messages.find(({ say, name }) => say === 'signal' && name === wait.name)
      return message === undefined
        ? over(isTimeOver)
        : { status: 'done', message: message.number, ...('value' in message && { value: message.value }) }
    }
    default:
      return over(isTimeOver)
  }
}

export function questionIdOf(position: number): string {
  return `ask-${position}`
}

function over(isOver: boolean): Pick<Entry, 'status'> | undefined {
  return isOver ? { status: 'done' } : undefined
}
