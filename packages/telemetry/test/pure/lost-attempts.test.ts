import { expect, it } from 'vitest'
import { firstAttemptAt, lostAttempts, wasSeenRunning } from '../../src/pure/lost-attempts.ts'

/** Versions of a step of a function: how it stood, when its attempt began, and how often it had failed. */
function versions(...rows: readonly (readonly [status: string, startedAt: number, failures?: number])[]) {
  return rows.map(([status, startedAt, failures = 0], i) => {
    const payload = { position: 0, op: 'step', name: 'charge', startedAt, failures }
    return { version: i + 1, status, payload, createdAt: 100 * (i + 1) }
  })
}

it.each([
  ['one attempt', versions(['running', 10], ['done', 10]), true, []],
  ['a sign of life', versions(['running', 10], ['running', 10], ['done', 10]), true, []],
  ['a retry', versions(['running', 10], ['failed', 10, 1], ['running', 150, 1], ['done', 150, 1]), true, []],
  ['a lost one, then another', versions(['running', 10], ['done', 150]), true, [{ attempt: 0, from: 10, until: 150 }]],
  [
    'two lost ones',
    versions(['running', 10], ['running', 150], ['done', 250]),
    true,
    [
      { attempt: 0, from: 10, until: 150 },
      { attempt: 0, from: 150, until: 250 },
    ],
  ],
  ['a person said it happened', versions(['running', 10], ['done', 10]), false, [{ attempt: 0, from: 10, until: 200 }]],
  [
    'a lost retry',
    versions(['failed', 10, 1], ['running', 150, 1], ['done', 250, 1]),
    true,
    [{ attempt: 1, from: 150, until: 250 }],
  ],
])('knows the lost attempts: %s', (_, given, endedByAttempt, lost) => {
  expect(lostAttempts(given, endedByAttempt)).toEqual(lost)
})

it('knows when the first attempt began', () => {
  expect(firstAttemptAt(versions(['failed', 10, 1], ['done', 150, 1]))).toBe(10)
  expect(firstAttemptAt([])).toBeUndefined()
})

it('knows whether an attempt was recorded as running', () => {
  const [running, done] = versions(['running', 10], ['done', 10])
  const [, other] = versions(['running', 10], ['done', 150])
  if (running === undefined || done === undefined || other === undefined) throw new Error('there are two versions')
  expect(wasSeenRunning([running], done)).toBe(true)
  expect(wasSeenRunning([running], other)).toBe(false)
})
