import type { StepHead } from '@agentm/harness'
import { expect, it } from 'vitest'
import { stepText } from '../src/commands/plan/pure/step-text.ts'

const payload = {
  ownerUserId: 'ada',
  planId: 'v1:harness:plan:p',
  title: 'list',
  status: 'done',
  kind: 'command',
  dependsOn: [],
  idempotencyKey: 'k',
  attempt: 1,
} as const satisfies StepHead['payload']

it('shows what a step was given and what came of it, line by line', () => {
  const result = { exitCode: 0, stdout: 'a\n  b\n', stderr: '' }
  expect(stepText({ id: 'v1:harness:step:s', payload: { ...payload, input: { args: ['-l'] }, result } })).toBe(
    [
      's  done  list  of p',
      '  kind     command',
      '  attempt  2',
      '  input',
      '    args: ["-l"]',
      '  result',
      '    exitCode: 0',
      '    stdout:',
      '      a',
      '        b',
      '    stderr: ',
    ].join('\n'),
  )
})

it('shows why it failed, and lets nothing that was recorded reach the terminal as more than text', () => {
  const failure = { cause: 'vanished', message: 'gone' } as const
  const text = stepText({
    id: 'v1:harness:step:s',
    payload: {
      ...payload,
      status: 'failed',
      errorMessage: 'gone\u001b[2J',
      failure,
      result: { stdout: '\u001b[31mred\r\n\u202ex' },
    },
  })
  expect(text).toContain('  failed   gone [2J (vanished)')
  for (const char of ['\u001b', '\u202e', '\r']) expect(text).not.toContain(char)
})
