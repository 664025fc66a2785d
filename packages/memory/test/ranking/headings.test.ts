import { describe, expect, it } from 'vitest'
import { packNote, unpackNote } from '../../src/index/pure/packed-note.ts'
import { headingLevels } from '../../src/ranking/pure/heading-levels.ts'
import { passagesOf } from '../../src/ranking/pure/passages.ts'
import { analyzeNote, analyzeQuery, rankLexical } from '../../src/ranking/pure/rank-lexical.ts'

const services = ['billing', 'search', 'mailer']
const lines = [
  'Backups are kept for a month.',
  'The certificate is renewed by hand.',
  'Rows older than a year are dropped.',
]

function handbook(...order: readonly number[]): string {
  return order.map((line, i) => `## ${services[i]}\n\n${lines[line]}\n`).join('\n')
}

function ranked(question: string, text: string) {
  const query = analyzeQuery(question, { documents: 4, averageLength: 20, documentFrequency: () => 2 })
  const note = analyzeNote({ title: '', text })
  const { passage, ...match } = rankLexical(query, note)
  return { ...match, shown: passage === undefined ? undefined : text.slice(passage.start, passage.end) }
}

describe('headingLevels', () => {
  it.each([
    ['# One\n### Three\ntext', [1, 3, 0]],
    ['####### seven\n#tag\n    # code', [0, 0, 0]],
    ['```sh\n# install\n```\n# After', [0, 0, 0, 1]],
    ['~~~~\n# a\n```\n# b\n~~~\n# c\n~~~~\n## After', [0, 0, 0, 0, 0, 0, 0, 2]],
  ])('%j: %j', (text, levels) => {
    expect(headingLevels(text, passagesOf(text))).toEqual(levels)
  })
})

describe('the headings above a passage', () => {
  it('count as its words', () => {
    const [right, wrong] = [handbook(1, 0, 2), handbook(0, 1, 2)].map((text) => ranked('backups of search', text))
    expect(right?.score).toBeGreaterThan(wrong?.score ?? Infinity)
    expect(right?.together).toBeGreaterThan(wrong?.together ?? Infinity)
    expect(right?.shown).toBe(lines[0])
  })

  it('end where the next heading of their level begins', () => {
    const inside = ranked('backups of search', `## search\n\n### nightly\n\n${lines[0]}`)
    const outside = ranked('backups of search', `## search\n\n### nightly\n\n## mailer\n\n${lines[0]}`)
    expect(inside.together).toBeGreaterThan(outside.together)
  })

  it('count less than the same words in the passage itself', () => {
    const above = ranked('backups of search', '# search\n\nBackups are kept.')
    const own = ranked('backups of search', '# kept\n\nBackups of search are here.')
    expect(own.score).toBeGreaterThan(above.score)
  })

  it('are as before after the note was packed', () => {
    const note = analyzeNote({ title: 'a', text: handbook(0, 1, 2) })
    expect(unpackNote(packNote(note))).toEqual(note)
    expect(note.passages.map(({ level }) => level)).toEqual([2, 0, 2, 0, 2, 0])
  })
})
