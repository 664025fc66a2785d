import { expect, it } from 'vitest'
import { rerankedText } from '../../src/rerankers/pure/reranked-text.ts'

const long = Array.from({ length: 400 }, (_, i) => `Line ${i} is here.`).join('\n')

it('shows a short text whole, below its title', () => {
  expect(rerankedText({ title: 'Ports', text: ' 5433 \n' }, undefined)).toBe('Ports\n5433')
  expect(rerankedText({ title: 'Ports', text: 'Ports are here.' }, undefined)).toBe('Ports are here.')
})

it.each([0, 3000, long.length - 20])('shows the surroundings of the passage at %i in a long text', (start) => {
  const shown = rerankedText({ title: '', text: long }, { start, end: start + 16 })
  expect(shown).toContain(long.slice(start, start + 16).trim())
  expect(shown.length).toBeLessThanOrEqual(1500)
  expect(shown.length).toBeGreaterThan(1400)
})

it('shows something where there is no text, and no half of a character', () => {
  expect(rerankedText({ title: '', text: undefined }, undefined)).toBe('-')
  expect(rerankedText({ title: '', text: '😀'.repeat(1000) }, { start: 701, end: 703 }).isWellFormed()).toBe(true)
})
