import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chatChunk, replyOf, unheard, withChunk } from '../../../src/models/pure/chat-answer.ts'
import { afterRefusal, usualHabits } from '../../../src/models/pure/endpoint-habits.ts'
import { costMicros, mostMicros } from '../../../src/models/pure/model-price.ts'
import { retryWait } from '../../../src/models/pure/retry-wait.ts'
import { sseEvents } from '../../../src/models/pure/sse-events.ts'

describe('server-sent events', () => {
  it.each([
    ['data: a\n\ndata: b\n\n', ['a', 'b'], ''],
    ['data:a\r\n\r\ndata: b\r\n', ['a'], 'data: b\n'],
    [': still here\n\ndata: a\n\n', ['a'], ''],
    ['event: delta\ndata: {"a":\ndata: 1}\nid: 7\n\n', ['{"a":\n1}'], ''],
    ['data: a\r', [], 'data: a\r'],
  ])('are read from %j', (text, data, rest) => {
    expect(sseEvents(text)).toEqual({ data, rest })
  })

  it('are the same however the text is cut', () => {
    const line = fc.constantFrom('data: {"a":1}', 'data:', ': hm', 'event: x', 'data: ü')
    const event = fc.tuple(fc.array(line, { minLength: 1, maxLength: 3 }), fc.constantFrom('\n', '\r\n'))
    fc.assert(
      fc.property(fc.array(event, { maxLength: 5 }), fc.array(fc.nat(30)), (events, sizes) => {
        const text = events.map(([lines, end]) => lines.join(end) + end + end).join('')
        let [at, rest] = [0, '']
        const data: string[] = []
        for (const size of [...sizes, text.length]) {
          const read = sseEvents(rest + text.slice(at, at + size))
          at += size
          rest = read.rest
          data.push(...read.data)
        }
        expect(data).toEqual(sseEvents(text).data)
      }),
    )
  })
})

const piece = (called: object) => chatChunk.parse({ choices: [{ delta: { tool_calls: [called] } }] })
const named = (name: string, args: string) => ({ function: { name, arguments: args } })

describe('pieces of calls', () => {
  it.each([
    [
      'by index',
      [
        { index: 0, id: 'a', ...named('x', '') },
        { index: 1, id: 'b', ...named('y', '2') },
        { index: 0, ...named('', '1') },
      ],
    ],
    [
      'by id, all at index 0',
      [
        { index: 0, id: 'a', ...named('x', '1') },
        { index: 0, id: 'b', ...named('y', '2') },
      ],
    ],
    [
      'without index',
      [{ id: 'a', ...named('x', '') }, { function: { arguments: '1' } }, { id: 'b', ...named('y', '2') }],
    ],
    [
      'as objects',
      [
        { index: 0, id: 'a', ...named('x', '1') },
        { index: 1, id: 'b', function: { name: 'y', arguments: '2' } },
      ],
    ],
  ])('belong together %s', (_, pieces) => {
    const heard = pieces.map(piece).reduce(withChunk, unheard)
    expect(replyOf(heard).calls).toEqual([
      { id: 'a', tool: 'x', args: '1' },
      { id: 'b', tool: 'y', args: '2' },
    ])
  })

  it('may hold their arguments as a value', () => {
    const heard = withChunk(unheard, piece({ id: 'a', function: { name: 'x', arguments: { at: 1 } } }))
    expect(heard.calls[0]?.args).toBe('{"at":1}')
  })
})

it('changes habits only for what a refusal names', () => {
  expect(afterRefusal(usualHabits, { status: 400, message: 'temperature is not supported' })).toBe(undefined)
  expect(afterRefusal(usualHabits, { status: 500, message: 'response_format' })).toBe(undefined)
  const none = { tokenLimit: 'max_completion_tokens', format: 'none', streamUsage: false, cacheKey: false } as const
  for (const message of ['response_format', 'stream_options', 'max_completion_tokens', 'prompt_cache_key'])
    expect(afterRefusal(none, { status: 400, message })).toBe(undefined)
})

it.each([
  [1, 0, 0, 250],
  [3, 0, 0.5, 1500],
  [50, 0, 0.999, 19_990],
  [1, 5000, 0, 5000],
  [1, 61_000, 0, undefined],
])('waits after %i failures, asked for %i ms, by chance %d: %s', (failures, askedMs, chance, expected) => {
  expect(retryWait(failures, { askedMs, chance })).toBe(expected)
})

it('rounds what a reply costs up', () => {
  const price = { input: 0.1, output: 0.4 }
  expect(costMicros({ inputTokens: 1, outputTokens: 0 }, price)).toBe(1)
  expect(costMicros({ inputTokens: 10, outputTokens: 10 }, price, { read: 1000 })).toBe(5)
  expect(costMicros({ inputTokens: 30, outputTokens: 0 }, { input: 0.1, output: 0 })).toBe(3)
  const cached = { input: 3, output: 1, cachedInput: 0.5, cacheWrite: 4 }
  expect(costMicros({ inputTokens: 10, outputTokens: 2 }, cached, { read: 4, written: 5 })).toBe(3 + 2 + 20 + 2)
  // More than all cannot have been cached.
  expect(costMicros({ inputTokens: 10, outputTokens: 0 }, { ...price, cacheWrite: 2 }, { written: 99 })).toBe(20)
  expect(mostMicros({ inputTokens: 10, outputTokens: 1 }, { input: 3, output: 15, cacheWrite: 4 })).toBe(55)
  expect(mostMicros({ inputTokens: 10, outputTokens: 1 }, { input: 3, output: 15, cachedInput: 0.3 })).toBe(45)
  expect(costMicros({ inputTokens: 1_000_000, outputTokens: 1_000_000 }, { input: 3, output: 15 })).toBe(18_000_000)
})
