import { expect, it } from 'vitest'
import { chooseWeight, nearFrom } from '../../src/eval/pure/choose-weight.ts'
import { selfQuestions } from '../../src/eval/pure/self-questions.ts'
import { tuningTable, verdictOf } from '../../src/eval/pure/tuning-table.ts'

const filler =
  'The committee met in the large hall and talked about budgets, travel plans and the summer party for everybody.'

const note = (i: number) => ({
  id: `n${i}`,
  title: `Pressure valves number ${i} explained`,
  text: `# Pressure valves number ${i} explained\n\n- ${filler}\n- Copper pipes **burst** in [January](http://x) because nobody drained boilers${i}.\n\n\`\`\`\nnpm run secret${i} --with many words in code\n\`\`\`\n\nInvoices from Lisbon arrive on Tuesdays and wait in tray ${i} until noon.`,
})

const most = { notes: 30, questions: 30 }
const set = selfQuestions(
  Array.from({ length: 30 }, (_, i) => note(i)),
  most,
)

it('asks each note once, in kinds that take turns', () => {
  const counts = ['title', 'sentence', 'other words'].map(
    (kind) => set.queries.filter((query) => query.kind === kind).length,
  )
  expect(counts).toEqual([10, 10, 10])
  expect(new Set(set.queries.flatMap(({ gold }) => gold)).size).toBe(30)
})

it('takes what is asked for out of the note that has to be found', () => {
  const left = set.queries.flatMap(({ text, gold, kind }) => {
    const found = set.corpus.find(({ id }) => id === gold[0])
    const parts = kind === 'other words' ? text.split(' ') : [text]
    return parts.filter((part) => `${found?.title}\n${found?.text}`.includes(part))
  })
  expect(left).toEqual([])
})

it('asks as a person would: no Markdown, no code, no headings', () => {
  for (const { text } of set.queries) expect(text).not.toMatch(/[*`[\]#]|secret|http/)
})

it('gives the same questions for the same notes, in any order, and no more than asked for', () => {
  const notes = Array.from({ length: 30 }, (_, i) => note(i))
  expect(selfQuestions(notes.toReversed(), most)).toEqual(set)
  const few = selfQuestions(notes, { notes: 20, questions: 5 })
  expect([few.corpus.length, few.queries.length]).toEqual([20, 5])
})

it('asks nothing of notes that are too short, and of none', () => {
  expect(selfQuestions([{ id: 'a', title: 'A', text: 'Tea at four.' }], most).queries).toEqual([])
  expect(selfQuestions([], most)).toEqual({ name: 'your notes', corpus: [], queries: [] })
})

it('makes questions of languages that write no spaces', () => {
  const text =
    '委员会在大厅开会讨论预算和旅行计划。夏季聚会的邀请函已经寄给所有同事。\n铜管在一月份破裂因为没有人排空锅炉。维修工人星期二下午来了两次。'
  const { queries } = selfQuestions([{ id: 'zh', title: '会议记录', text }], most)
  expect(queries).toHaveLength(1)
})

const scores = (weight: number, values: readonly number[]) => ({ weight, scores: values })
const many = (value: (i: number) => number) => Array.from({ length: 40 }, (_, i) => value(i))

it.each([
  [
    'the best one where it is clearly best',
    [
      scores(
        0.1,
        many(() => 0.2),
      ),
      scores(
        0.35,
        many(() => 0.4),
      ),
      scores(
        1,
        many(() => 0.9),
      ),
    ],
    1,
  ],
  [
    'the usual one where all are alike',
    [0.1, 0.35, 1].map((weight) =>
      scores(
        weight,
        many((i) => (i % 5) / 5),
      ),
    ),
    0.35,
  ],
  [
    'the usual one where the best is so by chance',
    [
      scores(
        0.35,
        many((i) => Number(i % 2 === 0)),
      ),
      scores(
        1,
        many((i) => Number(i % 2 === 1 || i === 0)),
      ),
    ],
    0.35,
  ],
  ['the usual one without questions', [], 0.35],
])('chooses %s', (_, measured, expected) => {
  expect(chooseWeight(measured, 0.35).weight).toBe(expected)
})

const system = (name: string, mrr: (i: number) => number) => ({
  name,
  scores: many(mrr).map((value) => ({
    recallAt1: value,
    recallAt5: value,
    recallAt10: value,
    mrr: value,
    ndcgAt10: value,
  })),
})

it('calls a difference a difference only where chance hardly makes it', () => {
  const [poor, good, other] = [
    system('poor', () => 0),
    system('good', () => 1),
    system('other', (i) => Number(i === 3)),
  ]
  expect(verdictOf(good, poor).verdict).toBe('better')
  expect(verdictOf(poor, good).verdict).toBe('worse')
  expect(verdictOf(other, poor).verdict).toBe('unclear')
})

it('prints a row for each system and a column for each kind', () => {
  const kinds = many((i) => i).map((i) => (i < 20 ? 'title' : 'sentence'))
  const table = tuningTable({ kinds, systems: [system('words only', (i) => Number(i < 20))] })
  expect(table).toContain('R@5')
  expect(table).toMatch(/words only +0\.500 +0\.500 +1\.000 +0\.000/)
  expect(table).not.toContain('other words')
})

it.each([
  ['what 95 of 100 wrong notes do not exceed', Array.from({ length: 100 }, (_, i) => 0.7 + i / 1000), 0.795],
  ['a wide range', Array.from({ length: 20 }, (_, i) => i / 100), 0.181],
  ['only the same text where nothing is known', [], 1],
])('takes as near %s', (_, wrong, expected) => {
  expect(nearFrom(wrong)).toBeCloseTo(expected, 2)
  expect(nearFrom(wrong)).toBeLessThanOrEqual(1)
})
