import { expect, test } from 'vitest'
import { isSlug, slugFor } from '@agentm/memory/notes'

test.each([
  ['Use HTTP/2 for the gateway!', 'use-http-2-for-the-gateway'],
  ['Über die Straße: größer', 'ueber-die-strasse-groesser'],
  ['Crème brûlée & café', 'creme-brulee-and-cafe'],
  ['Привет, мир', 'privet-mir'],
  ['Ελληνικά', 'ellinika'],
  ['Łódź, Đà Nẵng', 'lodz-da-nang'],
  ["it's ours", 'its-ours'],
])('%s is spelled in Latin letters', (words, slug) => {
  expect(slugFor(words)).toBe(slug)
})

test.each(['東京への旅行', '서울', 'مرحبا', '😀', 'con', 'LPT1', '---', 'trip to 東京'])(
  '%s gets a stable name of its own',
  (words) => {
    const slug = slugFor(words)
    expect(isSlug(slug)).toBe(true)
    expect(slugFor(words)).toBe(slug)
    expect(slugFor(`${words}違`)).not.toBe(slug)
  },
)

test('two texts whose letters are lost do not share a name', () => {
  expect(slugFor('東京')).not.toBe(slugFor('大阪'))
})

test('is cut between words', () => {
  const slug = slugFor('word '.repeat(40))
  expect(slug.length).toBeLessThanOrEqual(48)
  expect(slug.endsWith('word')).toBe(true)
  expect(slugFor('x'.repeat(300))).toBe('x'.repeat(48))
})

test.each(['', 'b\n', 'A', 'a_b', '-a', '../x', 'a/b', 'nul'])('%j is no slug', (name) => {
  expect(isSlug(name)).toBe(false)
})
