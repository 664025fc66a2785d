import { expect, it } from 'vitest'
import { progressOf } from '../src/progress.ts'
import { progressText } from '../src/pure/progress-text.ts'
import type { Terminal } from '../src/terminal.ts'

function setup({ width, json = false }: { readonly width?: number; readonly json?: boolean } = {}) {
  const said: string[] = []
  let now = 0
  const terminal = { width, err: (text: string) => void said.push(text) } as unknown as Terminal
  const progress = progressOf({ terminal, json }, { hint: 'Ctrl-C pauses.', now: () => now })
  /** A note every millisecond. */
  const read = (total: number) => {
    for (let done = 100; done <= total; done += 100) {
      now += 100
      progress.show('Reading notes', done, total)
    }
    progress.clear()
  }
  return { said, read }
}

it('says nothing of what is done within a second', () => {
  const { said, read } = setup({ width: 80 })
  read(900)
  expect(said).toEqual([])
})

it('says a line now and then where nobody watches, with what is left', () => {
  const { said, read } = setup()
  read(40_000)
  expect(said).toEqual([
    'Reading notes:  1,000 of 40,000, 1,111 a second, about 36 s left. Ctrl-C pauses.\n',
    'Reading notes: 31,000 of 40,000, 1,003 a second, about 9 s left. Ctrl-C pauses.\n',
  ])
})

it('keeps one line up to date on a terminal, no longer than its width, and takes it away in the end', () => {
  const { said, read } = setup({ width: 40 })
  read(10_000)
  expect(said[0]).toBe('\rReading notes:  1,000 of 10,000, 1,111 ')
  expect(said.length).toBeGreaterThan(20)
  expect(said.at(-1)).toMatch(/^\r +\r$/)
  expect(said.slice(0, -1).every((line) => line.startsWith('\r') && line.length === 40)).toBe(true)
})

it('says nothing with --json', () => {
  const { said, read } = setup({ width: 80, json: true })
  read(10_000)
  expect(said).toEqual([])
})

it.each([
  [{ doing: 'Making vectors', done: 0, total: 9, tookMs: 10 }, 'Making vectors: 0 of 9'],
  [{ doing: 'Removing nodes', done: 1200, tookMs: 3000 }, 'Removing nodes: 1,200, 400 a second'],
  [{ doing: 'Asking', done: 1, total: 400, tookMs: 6000 }, 'Asking:   1 of 400, 10 a minute, about 40 min left'],
  [{ doing: 'Asking', done: 4, total: 4, tookMs: 1000 }, 'Asking: 4 of 4, 4 a second'],
  [
    { doing: 'Asking', done: 1, total: 100_000, tookMs: 6000 },
    'Asking:       1 of 100,000, 10 a minute, about 167 h left',
  ],
])('words of %j', (at, text) => {
  expect(progressText(at)).toBe(text)
})
