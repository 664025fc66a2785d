import fc from 'fast-check'
import { expect, it } from 'vitest'
import { firstSentence } from '../../src/notes/pure/first-sentence.ts'

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })
const bySegmenter = (line: string) => segmenter.segment(line).containing(0)?.segment.trim() ?? line

it('ends the first sentence of ASCII text where Unicode ends it', () => {
  // A semicolon is left out: whether it continues a sentence depends on the version of Unicode.
  const text = fc.array(
    fc.constantFrom('a', 'b', 'A', 'B', '1', '.', '!', '?', ' ', ',', '-', ':', '"', "'", '(', ')', '[', '/', '_', '@'),
    { maxLength: 14 },
  )
  fc.assert(
    fc.property(text, (characters) => {
      const line = characters.join('')
      expect(firstSentence(line)).toBe(bySegmenter(line))
    }),
    { numRuns: 5000 },
  )
})

it.each([
  ['The lock lives outside. It is not copied.', 'The lock lives outside.'],
  [
    'Version 1.2.3 of node.js is needed, e.g. for tests. Nothing else.',
    'Version 1.2.3 of node.js is needed, e.g. for tests.',
  ],
  ['Why? Because.', 'Why?'],
  ['鍵は外にある。写されない。', '鍵は外にある。'],
  ['no end', 'no end'],
  ['', ''],
])('%j begins with %j', (line, first) => {
  expect(firstSentence(line)).toBe(first)
})
