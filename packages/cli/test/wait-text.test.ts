import { expect, it } from 'vitest'
import { type ShownReason, waitText } from '@agentm/workspace/health'

it.each<[ShownReason, string]>([
  [{ for: 'steps', count: 0 }, 'a worker to check it'],
  [{ for: 'steps', count: 1 }, '1 step it depends on'],
  [{ for: 'steps', count: 3 }, '3 steps it depends on'],
  [{ for: 'worker' }, 'a free worker'],
  [{ for: 'kind', kind: 'command' }, 'a worker that runs steps of kind command'],
  [{ for: 'takeover' }, 'another worker, because its own is gone'],
  [{ for: 'resume' }, 'its plan to be resumed'],
  [{ for: 'session', session: undefined }, 'the session that runs it'],
  [
    { for: 'room', limit: 'max_tokens', planId: 'p', others: ['"a" (s1)', '"b" (s2)'] },
    'budget: max_tokens of p is reserved by "a" (s1), "b" (s2)',
  ],
  [{ for: 'answer', text: 'Ship it?' }, 'an answer: Ship it?'],
  [{ for: 'plan', planId: 'p' }, 'the end of p'],
  [{ for: 'time' }, 'a time'],
  [{ for: 'rate-limit', message: 'slow down' }, 'a rate limit to pass: slow down'],
  [{ for: 'retry' }, 'its next attempt'],
])('%j is told as: waits for %s', (reason, text) => {
  expect(waitText(reason)).toBe(text)
})
