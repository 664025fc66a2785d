import type { Explanation, RecallResult } from '@agentm/memory/reader'
import { describe, expect, it } from 'vitest'
import { leftOutLines, rarityLine, reasonLines } from '../src/commands/memory/pure/explanation-text.ts'

const explanation: Explanation = {
  notes: 40,
  words: [
    { word: 'release', notes: 12 },
    { word: 'tagged', notes: 2 },
    { word: 'oslo', notes: 0 },
  ],
  times: [],
  prefersNewer: false,
  results: [{ id: 'a', inPassage: ['tagged'], elsewhere: ['release'], absent: ['oslo'], kindWeight: 1 }],
  leftOut: [],
  more: 0,
}

const result = { id: 'a', similarity: 0.5, probability: 0.8, time: 0, createdAt: 1 } as RecallResult

describe('the reasons for a result', () => {
  it('name the words, how rare they are, and where they stand', () => {
    expect(reasonLines(result, explanation)).toEqual([
      'words: in the title or the line above: "tagged" (in 2); elsewhere in it: "release" (in 12); not in it: "oslo"',
      'meaning: 0.50 of 1 near that of the question',
      'answer: 80 % likely',
    ])
  })

  it.each([
    [{ similarity: undefined }, {}, 'meaning: not compared, so only the words count'],
    [{ similarity: -0.1 }, {}, 'meaning: not near that of the question'],
    [{ time: 1 }, { times: [{ from: 0, to: 1 }] }, 'time: written at the time that the question names'],
    [{ time: 0.4 }, { times: [{ from: 0, to: 1 }] }, 'time: written near the time that the question names (0.40 of 1)'],
    [{ time: 0 }, { times: [{ from: 0, to: 1 }] }, 'time: not written at the time that the question names'],
    [{ createdAt: 0 }, { times: [{ from: 0, to: 1 }] }, 'time: nothing says when it was written'],
    [{}, { prefersNewer: true }, 'newer first: the question asks for the present state'],
  ])('%j %j', (of, more, line) => {
    expect(reasonLines({ ...result, ...of }, { ...explanation, ...more })).toContain(line)
  })

  it.each([
    [{ kindWeight: 0.5 }, 'kind: what agents and programs printed counts 0.5 times as much as a note'],
    [{ linked: 0.314 }, 'link: another result links to it, which adds 0.31 to its score'],
    [{ placeBefore: 3 }, 'reranker: moved here from place 3'],
    [{ inPassage: [], elsewhere: [] }, 'words: it has none of the words of the question'],
  ])('%j', (more, line) => {
    const results = explanation.results.map((reasons) => ({ ...reasons, ...more }))
    expect(reasonLines(result, { ...explanation, results })).toContain(line)
  })
})

describe('what was left out', () => {
  it('is named with its reason and the option that shows it', () => {
    const poor = { id: 'b', title: 'Moon cake', why: 'matches too little', probability: 0.126 } as const
    const twin = { id: 'c', key: 'projects/x/c.md', title: '', why: 'same text', probability: 1 } as const
    const lines = leftOutLines({ ...explanation, leftOut: [poor, twin], more: 4 }, { belowFloor: 3, routine: 2 })
    expect(lines).toEqual([
      '13 % likely to answer the question: Moon cake',
      'the same text as a result above: projects/x/c.md',
      '2 more that are less likely',
      'To see what is unlikely: --floor off',
      '4 more that match less well. To see more: --k N',
      '2 routine records of programs. To see them: --routine',
    ])
  })
})

describe('rarityLine', () => {
  it('lists the words that count, rarest first, and those that no note has', () => {
    expect(rarityLine(explanation)).toBe(
      'Words that few of the 40 notes have count most: "tagged" (in 2), "release" (in 12). In no note: "oslo".',
    )
    expect(rarityLine({ ...explanation, words: [] })).toMatch(/^No word of the question counts/)
  })
})
