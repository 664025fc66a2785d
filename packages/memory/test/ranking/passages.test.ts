import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { passagesOf, windowsOf } from '../../src/ranking/pure/passages.ts'

const textsOf = (text: string) => passagesOf(text).map(({ start, end }) => text.slice(start, end))

describe('passagesOf', () => {
  it('takes each line that says something', () => {
    expect(textsOf('# Title\n\n- one\r\n- two\n   \nlast')).toEqual(['# Title', '- one', '- two', 'last'])
  })

  it('cuts a long paragraph at the ends of its sentences', () => {
    const sentence = 'This sentence has something like sixty letters in it, roughly. '
    const passages = textsOf(sentence.repeat(12).trim())
    expect(passages.length).toBeGreaterThan(2)
    for (const passage of passages) expect(passage.trimEnd()).toMatch(/^This .* roughly\.$/s)
  })

  it('covers every word once, in order, in pieces that stay small', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 60 }),
      fc.constantFrom('. ', '\n', '。', 'word '.repeat(120)),
    )
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const text = pieces.join('')
        const passages = passagesOf(text)
        for (const [i, { start, end }] of passages.entries()) {
          expect(end).toBeGreaterThan(start)
          expect(end - start).toBeLessThanOrEqual(800)
          expect(start).toBeGreaterThanOrEqual(passages[i - 1]?.end ?? 0)
        }
        expect(
          textsOf(text)
            .join('')
            .replaceAll(/[\r\n]|\s+$/g, ''),
        ).toBe(
          text
            .split(/[\r\n]+/)
            .filter((line) => line.trim() !== '')
            .join('')
            .replaceAll(/\s+$/g, ''),
        )
      }),
    )
  })
})

describe('windowsOf', () => {
  const passages = Array.from({ length: 6 }, (_, i) => ({ start: i * 10, end: i * 10 + 8 }))

  it.each([
    [
      { size: 3, step: 2 },
      [
        [0, 28],
        [20, 48],
        [40, 58],
      ],
    ],
    [
      { size: 3, step: 3 },
      [
        [0, 28],
        [30, 58],
      ],
    ],
    [{ size: 1, step: 1 }, passages.map(({ start, end }) => [start, end])],
    [{ size: 99, step: 1 }, [[0, 58]]],
  ])('joins neighbours by %j', (shape, expected) => {
    expect(windowsOf(passages, shape).map(({ start, end }) => [start, end])).toEqual(expected)
    expect(windowsOf([], shape)).toEqual([])
  })
})
