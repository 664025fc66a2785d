import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LexicalIndex, type CountedNote, type SharedTerms } from '../../src/index/pure/lexical-index.ts'
import { codesIn, hasTerm, termCode, termCodes, termNumber } from '../../src/index/pure/term-codes.ts'
import { TermIndex } from '../../src/index/pure/term-index.ts'

const words = ['lock', 'vault', 'harbor', 'lantern', 'quill', 'basalt', 'meadow', 'cinder', 'orchard', 'pylon']
const someWords = fc.subarray(words)
const someNotes = fc.array(someWords, { maxLength: 60 }).map((lists) => lists.map(noteOf))

test('an index of terms names the notes that hold each of them', () => {
  fc.assert(
    fc.property(someNotes, (notes) => {
      const index = new TermIndex(notes)
      for (const word of words) {
        const holders = [...notes.keys()].filter((i) => hasTerm(notes[i]?.codes ?? '', termCode(word)))
        expect([...index.holders(termNumber(word))]).toEqual(holders)
      }
    }),
  )
})

test('an index of words answers the same before and after it made an index, and over the terms of one that differs a little', () => {
  fc.assert(
    fc.property(someNotes, someNotes, fc.array(someWords, { minLength: 1, maxLength: 8 }), (kept, others, asked) => {
      const shared: SharedTerms = {}
      const often = new LexicalIndex(kept, shared)
      for (const word of [...words, ...words.map((each) => `${each}x`)]) often.documentFrequency(word)
      const now = [...kept.slice(0, kept.length / 2), ...others.slice(0, 2), ...kept.slice(kept.length / 2 + 1)]
      for (const question of asked.map((list) => list.join(' '))) {
        expect(often.likely(question, 5)).toEqual(new LexicalIndex(kept).likely(question, 5))
        expect(new LexicalIndex(now, shared).likely(question, 5)).toEqual(new LexicalIndex(now).likely(question, 5))
      }
      for (const word of words)
        expect(new LexicalIndex(now, shared).documentFrequency(word)).toBe(
          new LexicalIndex(now).documentFrequency(word),
        )
    }),
  )
})

test('the likely notes are those that hold the rarest words, in order, and no more than are asked for', () => {
  const notes = [['lock'], ['lock', 'quill'], ['meadow'], ['quill', 'vault'], ['lock']].map(noteOf)
  const corpus = new LexicalIndex(notes)
  expect(corpus.likely('the quill of the vault', 9)).toEqual(['lock-quill.md', 'quill-vault.md'].toReversed())
  expect(corpus.likely('a lock', 2)).toEqual(['lock.md', 'lock.md'])
  expect(corpus.likely('a lantern', 2)).toEqual([])
})

test('the codes of terms read as their numbers', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string(), { maxLength: 30 }), (terms) => {
      expect([...codesIn(termCodes(terms))]).toEqual([...new Set(terms.map(termNumber))])
    }),
  )
})

function noteOf(terms: readonly string[]): CountedNote {
  return { key: `${terms.join('-')}.md`, length: terms.length, codes: termCodes(terms) }
}
