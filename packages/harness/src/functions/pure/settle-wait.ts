/** Whether a wait of a function is over, and what the function then gets. */
import type { Entry } from '../entry.ts'
import type { Message } from '../mailbox.ts'
import { questionIdOf } from './question-id.ts'

/** What is known when the waits are looked at. */
export interface Seen {
  readonly now: number
  /** The messages that no signal has taken, oldest first. Answers are among them. */
  readonly messages: readonly Message[]
}

/** The change that ends the wait; `undefined` while it goes on. */
export function settleWait(
  wait: Pick<Entry, 'position' | 'op' | 'name' | 'until'>,
  { now, messages }: Seen,
): Pick<Entry, 'status' | 'value' | 'message'> | undefined {
  const isTimeOver = wait.until !== undefined && wait.until <= now
  switch (wait.op) {
    case 'ask': {
      const answer = answerTo(questionIdOf(wait.position), messages)
      return answer === undefined ? over(isTimeOver) : { status: 'done', value: answer }
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

/** The answer that was given to a question. */
export function answerTo(questionId: string, messages: readonly Message[]): unknown {
  return messages.find(({ say, name }) => say === 'answer' && name === questionId)?.value
}

function over(isOver: boolean): Pick<Entry, 'status'> | undefined {
  return isOver ? { status: 'done' } : undefined
}
