import { expect, it } from 'vitest'
import { counting } from '../bench/recall/counting.mjs'
import { cost } from '../bench/recall/measured-process.mjs'
import { notesOf, pagesOf, proseFrom } from '../bench/recall/prose.mjs'

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

it('writes pages of the length that is asked for, and prompts that quote them', () => {
  const size = { notes: 30, bytes: 1250 }
  const pages = pagesOf(size)
  expect(pagesOf(size)).toEqual(pages)
  const prose = proseFrom(2)
  for (const page of pages) {
    expect(page.text.length).toBeGreaterThan(1100)
    expect(page.text.length).toBeLessThanOrEqual(1250)
    const [, quoted = 'nothing'] = /: (.*)\?$/.exec(prose.promptAbout(page)) ?? []
    expect(page.text).toContain(quoted)
  }
})

it('tells what a process cost, and gives up on one that takes too long', async () => {
  const where = { cwd: process.cwd(), env: process.env }
  const busy =
    'const end = process.cpuUsage().user + 60_000; while (process.cpuUsage().user < end); console.log("done")'
  const { cpuMs, peakMb, wallMs, said } = await cost(['-e', busy], where)
  expect(said).toBe('done\n')
  expect(cpuMs).toBeGreaterThan(60)
  expect(wallMs).toBeGreaterThan(60)
  expect(peakMb).toBeGreaterThan(10)
  await expect(cost(['-e', 'setInterval(() => {}, 1000)'], where, { mostMs: 200 })).rejects.toThrow(
    'longer than 200 ms',
  )
})
