import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { wordIndex } from '../src/pure/word-index.ts'
import { withoutAccents, wordsOf } from '../src/pure/words.ts'

describe('wordIndex', () => {
  it('finds each word it holds at its line, and no other', () => {
    const word = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).filter((text) => !text.includes('\n'))
    fc.assert(
      fc.property(fc.uniqueArray(word, { maxLength: 80 }), fc.array(word), (words, others) => {
        const index = wordIndex(new TextEncoder().encode(words.map((text) => `${text}\n`).join('')))
        // The first few are looked for in the text, those after them in an index.
        for (let asked = 0; asked < 200; asked += words.length + others.length + 1)
          for (const text of [...words, ...others, words.join('\n')]) {
            const line = words.indexOf(text)
            expect(index.find(text)).toBe(line === -1 ? undefined : line)
          }
        expect(index.size()).toBe(words.length)
      }),
    )
  })
})

describe('wordsOf', () => {
  it.each([
    ['Hello, World!', ['hello', 'world']],
    ['sha256 v1.2', ['sha', '256', 'v', '1', '2']],
    ['東京へ行くTypeScript', ['東京へ行く', 'typescript']],
    ['don’t', ['don', 't']],
    ['नमस्ते दुनिया', ['नमस्ते', 'दुनिया']],
    ['...', []],
  ])('cuts %j into %j', (text, words) => {
    expect(wordsOf(text).map((word) => word.text)).toEqual(words)
  })

  it.each([
    ['readUserName', ['read', 'user', 'name']],
    ['HTTPServer', ['http', 'server']],
    ['Readme', []],
    ['README', []],
  ])('knows the parts of %j: %j', (text, parts) => {
    expect(wordsOf(text)[0]?.parts).toEqual(parts)
  })

  it.each([
    ['café', 'cafe'],
    ['Zürich', 'Zurich'],
    ['नमस्ते', 'नमस्ते'],
    ['한국어', '한국어'],
    ['plain', 'plain'],
  ])('writes %j without accents as %j', (word, plain) => {
    expect(withoutAccents(word)).toBe(plain)
  })
})
