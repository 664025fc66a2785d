import { expect, it } from 'vitest'
import { readingProgress } from '../src/commands/memory/reading-progress.ts'
import type { Terminal } from '../src/terminal.ts'

function setup({ width, json = false }: { readonly width?: number; readonly json?: boolean } = {}) {
  const said: string[] = []
  let now = 0
  const terminal = { width, err: (text: string) => void said.push(text) } as unknown as Terminal
  const progress = readingProgress({ terminal, json }, () => now)
  /** A note every millisecond. */
  const read = (total: number) => {
    for (let done = 100; done <= total; done += 100) {
      now += 100
      progress(done, total)
    }
  }
  return { said, read }
}

it('says nothing of what is done within two seconds', () => {
  const { said, read } = setup()
  read(1900)
  expect(said).toEqual([])
})

it('says one line where nobody watches, with how long it takes', () => {
  const { said, read } = setup()
  read(10_000)
  expect(said).toEqual(['Reading notes into the index:  2,000 of 10,000, about 8 s left. This is needed only once.\n'])
})

it('keeps one line up to date on a screen, and takes it away in the end', () => {
  const { said, read } = setup({ width: 80 })
  read(10_000)
  expect(said[0]).toBe('\rReading notes into the index:  2,000 of 10,000')
  expect(said.length).toBeGreaterThan(20)
  expect(said.at(-1)).toMatch(/^\r +\r$/)
  const lines = said.slice(0, -1)
  expect(lines.every((line) => line.startsWith('\r') && line.length === said[0]?.length)).toBe(true)
})

it('says nothing with --json', () => {
  const { said, read } = setup({ width: 80, json: true })
  read(10_000)
  expect(said).toEqual([])
})
