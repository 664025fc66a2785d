import { expect, it } from 'vitest'
import { type ShownReason, waitText } from '../src/commands/plan/pure/wait-text.ts'

it.each<[ShownReason, string]>([
  [{ for: 'steps', count: 0 }, 'a worker to look at it'],
  [{ for: 'steps', count: 1 }, 'the step before it'],
  [{ for: 'steps', count: 3 }, '3 steps before it'],
  [{ for: 'worker' }, 'a free worker'],
  [{ for: 'kind', kind: 'command' }, 'a worker that allows kind command'],
  [{ for: 'resume' }, 'its plan to be resumed'],
  [{ for: 'session', session: undefined }, 'the session that runs it'],
  [
    { for: 'room', limit: 'max_tokens', planId: 'p', others: ['"a" (s1)', '"b" (s2)'] },
    'room in max_tokens of p, set aside by "a" (s1), "b" (s2)',
  ],
  [{ for: 'answer', text: 'Ship it?' }, 'an answer: Ship it?'],
  [{ for: 'plan', planId: 'p' }, 'the end of p'],
  [{ for: 'time' }, 'a time'],
  [{ for: 'rate-limit', message: 'slow down' }, 'a rate limit to pass: slow down'],
  [{ for: 'retry' }, 'its next try'],
])('%j is told as: waits for %s', (reason, text) => {
  expect(waitText(reason)).toBe(text)
})
