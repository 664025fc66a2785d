import { clockIn } from '../../src/clock-in.ts'
import { expect, it } from 'vitest'
import { isLimitMessage, limitEnd } from '../../src/pure/limit-end.ts'

const now = Date.UTC(2026, 10, 20, 0, 2, 3)
const at = (iso: string) => Date.parse(iso)
const reading = { now, zone: 'UTC', clockIn }

it.each<[said: string, end: string]>([
  // Claude Code 2.1.328, with a subscription
  ["You've hit your 5-hour limit · resets 4:46am (UTC)", '2026-11-20T04:47:00Z'],
  ["You've hit your weekly limit · resets Nov 25, 3pm (Europe/Berlin)", '2026-11-25T14:01:00Z'],
  ["You've hit your session limit · resets 12am (America/New_York)", '2026-11-20T05:01:00Z'],
  ["You've hit your Opus limit. It resets Jan 2 at 12:30pm (UTC).", '2027-01-02T12:31:00Z'],
  // Claude Code before 2.0
  ['Claude AI usage limit reached|1795150000', '2026-11-20T04:46:40Z'],
  // Codex 0.169.0
  [
    'You’ve hit your usage limit. Visit https://chatgpt.com/settings/usage to purchase more credits or try again at 4:46 AM.',
    '2026-11-20T04:47:00Z',
  ],
  ['You’ve hit your usage limit. Upgrade to Pro or try again at Nov 25th, 2026 4:46 AM.', '2026-11-25T04:47:00Z'],
  ['You’ve hit your usage limit. Try again in 3 days 2 hours 5 minutes.', '2026-11-23T02:07:03Z'],
  [
    'Rate limit reached for gpt-5 in organization org-x on tokens per min (TPM): Limit 30000. Please try again in 11.054s.',
    '2026-11-20T00:02:14.054Z',
  ],
  // Gemini CLI 0.61.0
  ['You have exhausted your capacity on this model. Your quota will reset after 3h20m5s.', '2026-11-20T03:22:08Z'],
  [
    'You exceeded your current quota, please check your plan and billing details. Please retry in 3600.5s.',
    '2026-11-20T01:02:03.500Z',
  ],
  // opencode 1.18.33
  ['AI_APICallError: Rate limit reached. Please try again in 3600s.', '2026-11-20T01:02:03Z'],
  ['Rate limit exceeded, resets at 2026-11-20T04:46:40Z', '2026-11-20T04:46:40Z'],
])('reads when a limit ends: %s', (said, end) => {
  expect(isLimitMessage(said)).toBe(true)
  expect(new Date(limitEnd(said, reading) ?? 0).toISOString()).toBe(new Date(at(end)).toISOString())
})

it.each([
  'API Error: Request rejected (429) · This request would exceed your account rate limit.',
  'Reconnecting... 1/5 (exceeded retry limit, last status: 429 Too Many Requests)',
  '[API Error: You have exhausted your daily quota on this model.]',
])('knows a limit that names no time: %s', (said) => {
  expect([isLimitMessage(said), limitEnd(said, reading)]).toEqual([true, undefined])
})

it.each([
  'API Error: Repeated 529 Overloaded errors.',
  'invalid x-api-key',
  'prompt is too long: 210000 tokens > 200000 maximum',
  'The model `gpt-9` does not exist.',
  'stream disconnected before completion; retry in 5 seconds',
])('takes nothing else for a limit: %s', (said) => {
  expect(isLimitMessage(said)).toBe(false)
})

it('takes a time of the clock for the next one in its zone, also when the clocks change', () => {
  const evening = { now: Date.UTC(2026, 10, 20, 22, 0), zone: 'Europe/Berlin', clockIn }
  expect(limitEnd('usage limit, resets 9am', evening)).toBe(at('2026-11-21T08:01:00Z'))
  // In the night before, the clocks of Berlin go back by an hour.
  expect(
    limitEnd('usage limit, resets 9am', { now: Date.UTC(2026, 9, 24, 20, 0), zone: 'Europe/Berlin', clockIn }),
  ).toBe(at('2026-10-25T08:01:00Z'))
  expect(limitEnd('usage limit, resets 9am (Nowhere/Land)', evening)).toBe(undefined)
})
