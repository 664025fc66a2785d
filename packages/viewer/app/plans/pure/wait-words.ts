/** What an unfinished step waits for, in words. */
import type { StepWait } from '../../../src/contract/plans.ts'
import { countOf, spanWords } from '../../pure/words.ts'

export function waitWords({ for: what, until, count = 0, text }: StepWait, now: number): string {
  const left = until === undefined ? '' : until > now ? `, ${spanWords(until - now)} left` : ', due now'
  switch (what) {
    case 'steps':
      return count === 0 ? 'Waits for a worker to look at it' : `Waits for ${countOf(count, 'earlier step')}`
    case 'worker':
      return text === undefined ? 'Waits for a free worker' : `Waits for a free worker, and for the limit “${text}”`
    case 'resume':
      return 'Waits because the plan is paused'
    case 'run':
      return `Runs on ${text ?? 'a worker'}`
    case 'lost':
      return 'Its worker is gone; another worker takes over'
    case 'answer':
      return 'Waits for a person'
    case 'plan':
      return `Waits for another plan${left}`
    case 'time':
      return `Waits for its time${left}`
    case 'rate-limit':
      return `Waits for a server that is busy${left}`
    case 'signal':
      return `Waits for the signal ${text ?? ''}${left}`
    case 'code':
      return `Waits for code that fits what it recorded${left}`
    default:
      return `Waits for its next attempt${left}`
  }
}
