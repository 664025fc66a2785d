import { describe, expect, it } from 'vitest'
import { askedWords } from '../../src/recall/pure/asked-words.ts'
import { type Evidence, evidenceFor } from '../../src/recall/pure/answer-evidence.ts'
import { aboveFloor, probabilityOf } from '../../src/recall/pure/floor.ts'
import { analyzeNote, analyzeQuery, type CorpusStatistics, rankLexical } from '../../src/ranking/pure/rank-lexical.ts'
import { stemOf } from '../../src/ranking/pure/term-code.ts'
import { termsOf } from '../../src/ranking/pure/tokenize.ts'
import { setup } from '../world.ts'

const vault = [
  ['Staging certificates', 'The staging certificate is renewed by hand with `certctl renew staging` on the bastion.'],
  ['Flaky parser test', 'A test of the parser fails when the importer answers late.'],
  ['Names in the parser', 'Functions of the parser begin with a verb, such as parseConfig.'],
  ['Deploy of the mailer', 'The mailer is deployed on Mondays.'],
] as const

/** The best probability among the notes. */
function bestFor(text: string, notes: readonly (readonly [string, string])[] = vault): number {
  const stems = notes.map(([title, body]) => new Set(termsOf(`${title} ${body}`).map(({ stem }) => stem)))
  const corpus: CorpusStatistics = {
    documents: notes.length,
    averageLength: 12,
    documentFrequency: (stem) => stems.filter((note) => note.has(stem)).length,
  }
  const query = analyzeQuery(text, corpus)
  const evidenceOf = evidenceFor(askedWords(text, query, corpus))
  const probabilities = notes.map(([title, body]) => {
    const note = analyzeNote({ title, text: body })
    const { matched } = rankLexical(query, note)
    const places = Array.from(note.terms.subarray(0, note.titleLength), (code) => query.places.get(stemOf(code)) ?? -1)
    const evidence = evidenceOf({ matched, title: places, time: 0, similarity: undefined })
    return probabilityOf(evidence, undefined, 'kept')
  })
  return Math.max(...probabilities)
}

describe('the probability of an answer', () => {
  it.each([
    'how do I renew the staging certificate?',
    'Browsers complain about staging. Find out how its certificate is renewed and write the steps into the ticket.',
    'on which day do we deploy the mailer?',
  ])('is high for: %s', (text) => {
    expect(bestFor(text)).toBeGreaterThan(0.6)
  })

  it.each([
    'continue',
    'fix the failing test in the importer',
    'rename parseConfig to readOptions and run the tests',
    'write a commit message',
    'bitte korrigiere den Test',
    'TypeError: x is undefined\n    at render (src/view.ts:3:14)\n    at async main (src/main.ts:9:3)',
  ])('is low for an ordinary prompt: %s', (text) => {
    expect(bestFor(text)).toBeLessThan(0.6)
  })

  it('is high in a store of two notes, where every word is rare', () => {
    const [one, two] = vault
    expect(bestFor('how is the staging certificate renewed?', [one, two])).toBeGreaterThan(0.6)
    expect(bestFor('what binds quarks together?', [one, two])).toBeLessThan(0.15)
  })

  it('counts the parts of an identifier once', () => {
    expect(bestFor('what calls parseConfig?')).toBeLessThan(bestFor('what do parse and config and verb call?'))
  })
})

describe('what counts beside words', () => {
  const nothing: Evidence = {
    core: 0,
    mass: 0,
    best: 0,
    focus: 0,
    pairs: 0,
    whole: 0,
    title: 0,
    strange: 0,
    length: 0.3,
    asks: 1,
    time: 0,
    similarity: undefined,
  }
  const half = { ...nothing, core: 0.6, mass: 0.4, best: 0.8, focus: 0.6, whole: 0.7 }

  it.each([
    ['a fitting time', { ...nothing, time: 1 }, undefined],
    ['a high cosine of an embedder that nobody measured', { ...nothing, similarity: 0.9 }, 'nomic-embed-text'],
  ])('%s is enough', (_, evidence, embedder) => {
    expect(probabilityOf(evidence, embedder === undefined ? undefined : { name: embedder }, 'kept')).toBeGreaterThan(
      0.6,
    )
  })

  it('a medium cosine of an embedder that nobody measured is none', () => {
    const similar = { ...nothing, similarity: 0.6 }
    expect(probabilityOf(similar, { name: 'nomic-embed-text' }, 'kept')).toBe(probabilityOf(nothing, undefined, 'kept'))
  })

  it('what counts as near is measured: .80 is nothing to one embedder and much to another', () => {
    const similar = { ...nothing, similarity: 0.8 }
    const probability = (near: number) => probabilityOf(similar, { name: 'e5', near }, 'kept')
    expect([probability(0.85), probability(0.5)]).toEqual([
      probabilityOf(nothing, undefined, 'kept'),
      expect.closeTo(0.65),
    ])
  })

  it('tool output needs more than a note', () => {
    expect(probabilityOf(half, undefined, 'printed')).toBeLessThan(probabilityOf(half, undefined, 'kept'))
  })
})

describe('each floor', () => {
  const ranked = [0.3, 0.7, 0.05].map((probability) => ({ probability }))

  it('shows everything, everything if anything answers, or answers alone', () => {
    expect(aboveFloor(ranked, 'off')).toEqual(ranked)
    expect(aboveFloor(ranked, 'mild')).toEqual(ranked)
    expect(aboveFloor(ranked.slice(2), 'mild')).toEqual([])
    expect(aboveFloor(ranked, 'strict')).toEqual([{ probability: 0.7 }])
  })
})

it('every result of a recall says how probable an answer it is, and why', async () => {
  const { memory, write } = await setup()
  await write('projects/acme/a.md', '# Ports\n\nThe staging database listens on port 5433.\n')
  const { results } = await memory.recall({ text: 'which port does the staging database use?' })
  expect(results).toMatchObject([{ probability: expect.any(Number), evidence: { asks: 1, core: expect.any(Number) } }])
  expect(results[0]?.probability).toBeGreaterThan(0.6)
  expect(results[0]?.probability).toBeLessThan(1)
})
