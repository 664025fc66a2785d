import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Message } from '../../../src/index.ts'
import { tokensOf, trimContext } from '../../../src/loop/pure/trim-context.ts'
import { protocolProblem } from '../../../../../tools/model-in-process.mjs'

let ids = 0

/** A call and its results, or a message by itself. */
const group: fc.Arbitrary<readonly Message[]> = fc.oneof(
  fc.string().map((text): Message[] => [{ role: 'user', text }]),
  fc.string().map((text): Message[] => [{ role: 'assistant', text, calls: [] }]),
  fc.array(fc.string({ unit: 'binary' }), { minLength: 1, maxLength: 4 }).map((results): Message[] => {
    const made = results.map((text) => ({ id: `c${++ids}`, tool: 'read', args: '{}', text }))
    const answers = made.map(({ id, text }): Message => ({
      role: 'tool',
      callId: id,
      tool: 'read',
      text,
      failed: false,
    }))
    return [{ role: 'assistant', text: '', calls: made.map(({ id, tool, args }) => ({ id, tool, args })) }, ...answers]
  }),
)
const conversation = fc.array(group, { maxLength: 30 }).map((groups) => groups.flat())
const window = fc.record({
  maxTokens: fc.integer({ min: -1, max: 60 }),
  pinnedHead: fc.integer({ min: -1, max: 4 }),
  keepTail: fc.integer({ min: -1, max: 10 }),
})

describe('trimContext', () => {
  it('never leaves a result without its call, nor a call without its result', () => {
    fc.assert(
      fc.property(conversation, window, (messages, limits) => {
        expect(protocolProblem(trimContext(messages, limits).messages)).toBe(undefined)
      }),
    )
  })

  it('keeps head, tail and order, and says how much it left out', () => {
    fc.assert(
      fc.property(conversation, window, (messages, limits) => {
        const { messages: kept, dropped, note } = trimContext(messages, limits)
        const told = kept.filter((message) => !('trimmed' in message))
        expect(told.length + dropped).toBe(messages.length)
        expect(messages.filter((message) => told.includes(message))).toEqual(told)
        const head = messages.slice(0, Math.max(0, limits.pinnedHead))
        const tail = limits.keepTail > 0 ? messages.slice(-limits.keepTail) : []
        expect([...head, ...tail].every((message) => told.includes(message))).toBe(true)
        expect(note === '').toBe(dropped === 0)
      }),
    )
  })

  it('drops no more than it has to, and nothing without need', () => {
    fc.assert(
      fc.property(conversation, window, (messages, limits) => {
        const { messages: kept, dropped } = trimContext(messages, limits)
        const needed = limits.maxTokens > 0 && tokensOf(messages) > limits.maxTokens
        expect(needed || dropped === 0).toBe(true)
        const fits = tokensOf(kept) <= limits.maxTokens
        const nothingLeft = trimContext(kept, limits).dropped === 0
        expect(limits.maxTokens <= 0 || fits || nothingLeft).toBe(true)
      }),
    )
  })

  it('counts on when it trims again, and never drops its own note', () => {
    const first = trimContext(said(20), { maxTokens: 300 })
    const second = trimContext([...first.messages, ...said(10)], { maxTokens: 300 })
    const notes = second.messages.filter((message) => message.role === 'system')
    expect(notes).toHaveLength(1)
    expect(notes[0]).toMatchObject({ trimmed: first.dropped + second.dropped })
    expect(second.messages[1]).toBe(notes[0])
    expect(notes[0]?.text).toContain('within 300 tokens')
  })
})

describe('tokensOf', () => {
  it.each([
    ['', 4, 0],
    ['abcd', 4, 1],
    ['abcde', 4, 2],
    ['ä', 4, 1],
    ['💡💡', 4, 2],
    ['abcde', 0, 2],
    ['abcde', -1, 2],
  ])('%j in pieces of %i bytes: %i', (text, bytes, tokens) => {
    expect(tokensOf([{ role: 'user', text }], bytes)).toBe(tokens)
  })

  it('counts what a call says', () => {
    const calls = [{ id: 'a', tool: 'read', args: '{"a":"1234"}' }]
    expect(tokensOf([{ role: 'assistant', text: '', calls }])).toBe(4)
  })
})

function said(n: number): Message[] {
  return Array.from({ length: n }, (_, i) => ({ role: 'user', text: `message ${i} ${'x'.repeat(80)}` }))
}
