import { describe, expect, it } from 'vitest'
import { askedToWaitMs } from '../../src/pure/retry-after.ts'

const now = Date.parse('2026-01-01T00:00:00Z')
const asked = (headers: Readonly<Record<string, string>>, status = 429) =>
  askedToWaitMs((name) => headers[name], { status, now })

describe('what an answer asks to be left alone for', () => {
  it.each([
    ['seconds', { 'retry-after': '3600' }, 3_600_000],
    ['a fraction of a second', { 'retry-after': '1.5' }, 1500],
    ['a date', { 'retry-after': 'Thu, 01 Jan 2026 01:00:00 GMT' }, 3_600_000],
    ['a date that has passed', { 'retry-after': 'Wed, 31 Dec 2025 23:00:00 GMT' }, 0],
    [
      'a date by a clock that is wrong, which the answer tells',
      {
        'retry-after': 'Wed, 10 Dec 2025 01:00:00 GMT',
        date: 'Wed, 10 Dec 2025 00:59:00 GMT',
      },
      60_000,
    ],
    ['milliseconds, before seconds', { 'retry-after-ms': '1250', 'retry-after': '2' }, 1250],
    [
      'OpenAI: the limit that is used up',
      {
        'x-ratelimit-remaining-requests': '12',
        'x-ratelimit-reset-requests': '2h',
        'x-ratelimit-remaining-tokens': '0',
        'x-ratelimit-reset-tokens': '6m0.5s',
      },
      360_500,
    ],
    ['OpenAI: milliseconds', { 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '20ms' }, 20],
    [
      'Anthropic: the later of two that are used up',
      {
        'anthropic-ratelimit-requests-remaining': '0',
        'anthropic-ratelimit-requests-reset': '2026-01-01T00:00:20Z',
        'anthropic-ratelimit-output-tokens-remaining': '0',
        'anthropic-ratelimit-output-tokens-reset': '2026-01-01T00:01:00Z',
      },
      60_000,
    ],
    [
      'GitHub: a moment in seconds',
      { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': `${now / 1000 + 90}` },
      90_000,
    ],
    [
      'OpenRouter: a moment in milliseconds',
      { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': `${now + 90_000}` },
      90_000,
    ],
    ['the draft of the IETF', { 'ratelimit-remaining': '0', 'ratelimit-reset': '50' }, 50_000],
    ['its one header', { ratelimit: 'limit=100, remaining=0, reset=50' }, 50_000],
    ['its one header as a structured field', { ratelimit: '"burst";r=4;t=9, "daily";r=0;t=120' }, 120_000],
  ])('%s', (_, headers, ms) => {
    expect(asked(headers)).toBe(ms)
  })

  it.each([
    ['nothing', {}],
    ['a limit with something left', { 'x-ratelimit-remaining-tokens': '5', 'x-ratelimit-reset-tokens': '6m' }],
    ['a header that is none', { 'retry-after': 'soon' }],
    ['a negative number', { 'retry-after': '-1' }],
    ['an empty header', { 'retry-after': '' }],
    ['a number no clock holds', { 'retry-after': '9'.repeat(400) }],
  ])('does not say: %s', (_, headers) => {
    expect(asked(headers)).toBeUndefined()
  })

  it('describes limits beside a failure that has another reason', () => {
    const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '50' }
    expect([asked(headers, 503), asked({ 'retry-after': '5' }, 503)]).toEqual([undefined, 5000])
  })
})
