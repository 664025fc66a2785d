import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readLabelledSet } from '../../src/eval/read-labelled-set.ts'

describe('readLabelledSet', () => {
  it('reads notes and questions of our own layout, and which notes a question is asked of', async () => {
    const set = await readLabelledSet(
      await folderOf({
        'corpus.jsonl': [
          { id: 'a', title: 'A', text: 'one', group: 'g' },
          { id: 'b', text: 'two', at: '2024-01-02' },
        ],
        'queries.jsonl': [
          { id: 'q', text: 'which?', gold: ['a'], kind: 'plain', group: 'g' },
          { id: 'r', text: 'when?', gold: ['b'] },
        ],
      }),
    )
    expect(set.corpus).toEqual([
      { id: 'a', title: 'A', text: 'one' },
      { id: 'b', title: '', text: 'two', at: '2024-01-02' },
    ])
    expect(set.queries).toEqual([
      { id: 'q', text: 'which?', gold: ['a'], kind: 'plain', among: new Set(['a']) },
      { id: 'r', text: 'when?', gold: ['b'], kind: 'question' },
    ])
  })

  it('reads BEIR, with grades, and leaves out the questions of its other splits', async () => {
    const set = await readLabelledSet(
      await folderOf({
        'corpus.jsonl': [
          { _id: 'd1', title: 'T', text: 'one' },
          { _id: 'd2', text: 'two' },
        ],
        'queries.jsonl': [
          { _id: '1', text: 'first' },
          { _id: '2', text: 'of the training split' },
        ],
        'qrels/test.tsv': 'query-id\tcorpus-id\tscore\n1\td1\t2\n1\td2\t1\n2\td2\t0\n',
      }),
    )
    expect(set.corpus[0]).toEqual({ id: 'd1', title: 'T', text: 'one' })
    expect(set.queries).toEqual([
      { id: '1', text: 'first', gold: ['d1', 'd2'], grades: { d1: 2, d2: 1 }, kind: 'question' },
    ])
  })

  it('reads each session of LoCoMo as a note, and the sessions of the evidence as right', async () => {
    const conversation = {
      speaker_a: 'Ann',
      session_1: [{ speaker: 'Ann', dia_id: 'D1:1', text: 'I paint.', blip_caption: 'a lake' }],
      session_1_date_time: '1:56 pm on 8 May, 2023',
      session_2: [{ speaker: 'Bob', dia_id: 'D2:1', text: 'I run.' }],
      session_2_date_time: '12:04 am on 9 May, 2023',
      session_3: [],
    }
    const qa = [
      { question: 'What does Ann do?', answer: 'paint', evidence: ['D1:1; D2:1'], category: 1 },
      { question: 'Nobody knows?', evidence: [], category: 4 },
    ]
    const set = await readLabelledSet(
      await folderOf({ 'locomo10.json': JSON.stringify([{ sample_id: 'c1', conversation, qa }]) }),
    )
    expect(set.corpus.map(({ id, at }) => [id, at])).toEqual([
      ['c1 session 1', '2023-05-08T13:56:00.000Z'],
      ['c1 session 2', '2023-05-09T00:04:00.000Z'],
    ])
    expect(set.corpus[0]?.text).toContain('- **Ann:** I paint. (picture: a lake)')
    const among = new Set(['c1 session 1', 'c1 session 2'])
    expect(set.queries).toEqual([
      { id: 'c1 question 1', text: 'What does Ann do?', gold: [...among], kind: 'multi-hop', among },
    ])
  })

  it('reads each haystack of LongMemEval, without questions that have no answer in it', async () => {
    const haystack = {
      haystack_session_ids: ['s1', 's2'],
      haystack_dates: ['2023/05/20 (Sat) 02:21', '2023/05/21 (Sun) 10:00'],
      haystack_sessions: [[{ role: 'user', content: 'I moved to Oslo.' }], [{ role: 'assistant', content: 'Hello.' }]],
      answer_session_ids: ['s1'],
    }
    const asked = {
      question: 'Where do I live?',
      question_type: 'single-session-user',
      question_date: '2023/06/01 (Thu) 09:30',
    }
    const file = await folderOf({
      'longmemeval.json': JSON.stringify([
        { question_id: 'one', ...asked, ...haystack },
        { question_id: 'two_abs', ...asked, ...haystack },
      ]),
    })
    const set = await readLabelledSet(path.join(file, 'longmemeval.json'))
    expect(set.corpus).toHaveLength(2)
    expect(set.corpus[0]).toMatchObject({ id: 's1 2023/05/20 (Sat) 02:21', at: '2023-05-20T02:21:00.000Z' })
    expect(set.queries).toMatchObject([
      { id: 'one', gold: [set.corpus[0]?.id], kind: 'single-session-user', at: '2023-06-01T09:30:00.000Z' },
    ])
  })

  it.each([
    ['nothing', {}, /has no labelled data/],
    ['two files', { 'a.json': '[]', 'b.json': '[]' }, /name one of them/],
    ['another file', { 'a.json': '[{}]' }, /neither LoCoMo nor LongMemEval/],
    ['no questions', { 'corpus.jsonl': [], 'queries.jsonl': [] }, /no question with a right note/],
    ['a line that is not JSON', { 'corpus.jsonl': '\n{', 'queries.jsonl': [] }, /corpus\.jsonl, line 2 is not JSON/],
    [
      'a note without text',
      { 'corpus.jsonl': [{ id: 'a' }], 'queries.jsonl': [] },
      /corpus\.jsonl, line 1 cannot be used/,
    ],
    [
      'a right note that is not there',
      { 'corpus.jsonl': [{ id: 'a', text: '' }], 'queries.jsonl': [{ id: 'q', text: 'x', gold: ['b'] }] },
      /question q has no right note/,
    ],
    [
      'one id twice',
      {
        'corpus.jsonl': [
          { id: 'a', text: '' },
          { id: 'a', text: '' },
        ],
        'queries.jsonl': [],
      },
      /two notes have the same id/,
    ],
  ])('refuses a directory with %s', async (_, files, message) => {
    await expect(readLabelledSet(await folderOf(files))).rejects.toThrow(message)
  })

  it('refuses a place that does not exist', async () => {
    await expect(readLabelledSet('/nowhere/at-all')).rejects.toThrow(/no labelled data at \/nowhere\/at-all/)
  })
})

async function folderOf(files: Readonly<Record<string, string | readonly object[]>>): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'labelled-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  for (const [name, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true })
    const text = typeof content === 'string' ? content : content.map((line) => JSON.stringify(line)).join('\n')
    await writeFile(path.join(folder, name), text)
  }
  return folder
}
