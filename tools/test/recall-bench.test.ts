import { expect, it } from 'vitest'
import { counting } from '../bench/recall/counting.mjs'
import { notesOf, proseFrom } from '../bench/recall/prose.mjs'

it('counts every call that is not known to read, and leaves what it answers alone', () => {
  class Shelf {
    readonly #kept: string[] = []
    readonly label = 'shelf'
    put(text: string) {
      this.#kept.push(text)
      return this.#kept.length
    }
    all() {
      return [...this.#kept]
    }
  }
  const calls = { writes: 0 }
  const shelf = counting(new Shelf(), ['all'], calls)
  expect([shelf.label, shelf.all(), calls.writes]).toEqual(['shelf', [], 0])
  expect([shelf.put('a'), shelf.put('b'), shelf.all(), calls.writes]).toEqual([1, 2, ['a', 'b'], 2])
})

it('writes the same notes every time, and asks about them in their own words', () => {
  const notes = notesOf(50)
  expect(notesOf(50)).toEqual(notes)
  const prose = proseFrom(1)
  for (const note of notes) {
    const words = new Set(`${note.title} ${note.text}`.toLowerCase().match(/\p{L}+/gu))
    const asked =
      prose
        .questionAbout(note)
        .match(/about (.*)\?$/)?.[1]
        ?.split(' ') ?? []
    expect(asked.filter((word) => word !== 'and' && !words.has(word))).toEqual([])
    expect(asked).toHaveLength(6)
  }
})
