import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { analyzeNote, type CorpusStatistics } from '../../src/ranking/pure/rank-lexical.ts'
import { rerank, type Candidate } from '../../src/ranking/pure/rerank.ts'
import { stemCode, stemOf } from '../../src/ranking/pure/term-code.ts'

interface Named extends Candidate {
  readonly id: string
}

const now = Date.UTC(2024, 0, 1)
const filler = Array.from({ length: 12 }, (_, i) => `- Line ${i} talks of weather, garden and food.`).join('\n')

describe('rerank', () => {
  it('prefers one line that answers to the same words strewn over the note', () => {
    const strewn = `- the vault\n${filler}\n- a mutex\n${filler}\n- stale things`
    const [first] = ranked('stale vault mutex', [
      note('strewn', strewn),
      note('line', `${filler}\n- a stale vault mutex is renamed\n${filler}`),
    ])
    expect(first?.candidate.id).toBe('line')
    const at = first?.passage
    expect(at).toEqual({ start: filler.length + 1, end: filler.length + 1 + '- a stale vault mutex is renamed'.length })
  })

  it('prefers the very form of the question to a relative of it', () => {
    expect(order('backing up', [note('relative', 'it was backed'), note('same', 'it is backing')])).toEqual([
      'same',
      'relative',
    ])
  })

  it('prefers words that stand together in both', () => {
    const apart = note('apart', 'The lock of the garden holds no file today.')
    const together = note('together', 'The garden holds today a lock file no more.')
    expect(order('lock file', [apart, together])).toEqual(['together', 'apart'])
  })

  it('counts a name for more than a common word', () => {
    const named = note('named', 'Caroline likes tea')
    const common = note('common', 'Melanie went camping')
    expect(order('Where does Caroline camp?', [common, named])[0]).toBe('named')
  })

  it('lets the time a question names decide between equals', () => {
    const [may, june] = [Date.UTC(2023, 4, 9), Date.UTC(2023, 5, 9)]
    const notes = [note('june', 'We met Anna', { at: june }), note('may', 'We met Anna', { at: may })]
    expect(order('When did we meet Anna in May 2023?', notes)).toEqual(['may', 'june'])
    expect(order('When did we meet Anna in June 2023?', notes)).toEqual(['june', 'may'])
  })

  it('lets a newer note win where the present state is asked for, though an older one says it in more of the words', () => {
    const old = note('old', 'The billing service uses port 8080', { at: now - 600 * 86_400_000 })
    const fresh = note('new', 'Moved the billing service to port 9443', { at: now - 86_400_000 })
    expect(order('Which port does the billing service use?', [old, fresh])).toEqual(['old', 'new'])
    expect(order('Which port does the billing service use now?', [old, fresh])).toEqual(['new', 'old'])
  })

  it('finds by meaning what shares no word, and gives the weight of an absent vector to the words', () => {
    const far = note('far', 'The car broke down', { similarity: 0.1 })
    const near = note('near', 'A vehicle failed', { similarity: 0.8 })
    expect(order('automobile trouble', [far, near])).toEqual(['near', 'far'])
    const without = ranked('car', [note('without', 'The car broke down')])
    expect(without[0]?.score).toBeCloseTo(1.25)
  })

  it('breaks ties by age, then by the order given', () => {
    const notes = [note('a', 'x'), note('b', 'x'), note('c', 'x', { at: 5 }), note('d', 'x', { at: 9 })]
    expect(order('x', notes)).toEqual(['d', 'c', 'a', 'b'])
    expect(order('?', notes)).toEqual(['d', 'c', 'a', 'b'])
  })

  it('answers with every candidate once, finite and in falling order, whatever the texts', () => {
    const text = fc.array(
      fc.oneof(fc.constantFrom('lock', 'Vault', 'file', '東京', '.\n'), fc.string({ unit: 'binary', maxLength: 6 })),
    )
    fc.assert(
      fc.property(text, fc.array(text, { maxLength: 6 }), (question, texts) => {
        const notes = texts.map((words, i) => note(`n${i}`, words.join(' ')))
        const results = ranked(question.join(' '), notes)
        expect(results.map(({ candidate }) => candidate.id).toSorted()).toEqual(notes.map(({ id }) => id))
        for (const [i, { score, lexical }] of results.entries()) {
          expect(Number.isFinite(score)).toBe(true)
          expect(lexical).toBeGreaterThanOrEqual(0)
          expect(lexical).toBeLessThanOrEqual(1)
          expect(score).toBeLessThanOrEqual(results[i - 1]?.score ?? Infinity)
        }
      }),
    )
  })
})

function note(id: string, text: string, more: { at?: number; similarity?: number } = {}): Named {
  return { id, note: analyzeNote({ title: '', text }), ...more }
}

function ranked(question: string, notes: readonly Named[]) {
  return rerank({ text: question, now }, notes, statisticsOf(notes))
}

function order(question: string, notes: readonly Named[]): string[] {
  return ranked(question, notes).map(({ candidate }) => candidate.id)
}

/** Of a corpus of a thousand notes in which each word of these stands in as many as it does here. */
function statisticsOf(notes: readonly Named[]): CorpusStatistics {
  const lengths = notes.map(({ note: { length } }) => length)
  return {
    documents: 1000,
    averageLength: Math.max(1, lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length)),
    documentFrequency: (stem) => notes.filter((each) => holds(each.note, stem)).length,
  }
}

function holds({ terms, titleLength }: Named['note'], stem: string): boolean {
  return terms.subarray(titleLength).some((code) => stemOf(code) === stemCode(stem))
}
