import { expect, it } from 'vitest'
import { healthText } from '@agentm/workspace/health'

it('says what was found, and after it each command that helps', () => {
  expect(healthText({ text: 'the log is here' })).toBe('the log is here')
  expect(
    healthText({
      text: 'p1 failed: no route',
      help: [
        { to: 'To retry it', command: 'agentm retry p1' },
        { to: 'To end it', command: 'agentm cancel p1' },
      ],
    }),
  ).toBe('p1 failed: no route. To retry it: agentm retry p1. To end it: agentm cancel p1')
})
