import { expect, it } from 'vitest'
import { allSentences, sample } from '../sample-sentences.mjs'

const all = allSentences()

it('finds sentences in help and errors, in documents and in comments', () => {
  const texts = all.map(({ text }) => text)
  expect(texts.some((text) => text.includes('list the notes of this project'))).toBe(true)
  expect(new Set(all.map(({ from }) => from))).toEqual(new Set(['help and errors', 'documents', 'comments']))
  expect(all.filter(({ from }) => from === 'comments').length).toBeGreaterThan(1000)
})

it('draws the same sentences for the same seed, others for another, and none twice', () => {
  const drawn = sample(all, { seed: 7, count: 200 })
  expect(drawn).toHaveLength(200)
  expect(new Set(drawn).size).toBe(200)
  expect(sample(all, { seed: 7, count: 200 })).toEqual(drawn)
  expect(sample(all, { seed: 8, count: 200 })).not.toEqual(drawn)
})
