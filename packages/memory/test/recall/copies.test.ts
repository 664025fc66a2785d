import { describe, expect, it } from 'vitest'
import { Tier } from '@agentm/storage-seam'
import { observation } from '@agentm/memory'
import { withoutCopies } from '../../src/recall/pure/copies.ts'
import { isRoutineEpisode, isRoutineStatement } from '../../src/recall/pure/routine.ts'
import { analyzeNote } from '../../src/ranking/pure/rank-lexical.ts'
import { setup } from '../world.ts'

const lamp = 'The lamp in the hall flickers because its transformer hums at sixty degrees.'

interface Text {
  readonly title?: string
  readonly text: string
  readonly isRecorded?: boolean
  readonly isPersonal?: boolean
}

function shown(texts: readonly Text[], most?: number): readonly number[] {
  const view = ({ title = '', text, isRecorded = false, isPersonal = false }: Text) => {
    return { analyzed: analyzeNote({ title, text }), isRecorded, isPersonal }
  }
  return withoutCopies([...texts.keys()], (i) => view(texts[i] ?? { text: '' }), most)
}

describe('copies of one text are one result', () => {
  it.each<[string, readonly Text[], readonly number[]]>([
    [
      'whatever the heading',
      [
        { title: 'Hall', text: `# Hall\n\n${lamp}` },
        { title: 'B', text: `# B\n\n${lamp}` },
      ],
      [0],
    ],
    ['whatever the title, case and points', [{ title: 'A', text: lamp }, { text: lamp.toUpperCase() }], [0]],
    [
      'an event that was recorded again, with another time',
      [
        { text: `12:01 ${lamp}`, isRecorded: true },
        { text: `12:07 ${lamp}`, isRecorded: true },
      ],
      [0],
    ],
    ['a note instead of a record that comes first', [{ text: lamp, isRecorded: true }, { text: lamp }], [1]],
    [
      'a note and a person’s file that was recorded',
      [
        { text: lamp, isPersonal: true },
        { text: lamp, isRecorded: true },
      ],
      [0],
    ],
    ['not two facts that differ in a number', [{ text: `${lamp} Port 8080.` }, { text: `${lamp} Port 9443.` }], [0, 1]],
    [
      'not short texts of different titles',
      [
        { title: 'Hall', text: 'See above.' },
        { title: 'Attic', text: 'See above.' },
      ],
      [0, 1],
    ],
    [
      'not two files of a person',
      [
        { text: lamp, isPersonal: true },
        { text: lamp, isPersonal: true },
      ],
      [0, 1],
    ],
  ])('%s', (_, texts, expected) => {
    expect(shown(texts)).toEqual(expected)
  })

  it('and leave their places to others', () => {
    expect(
      shown([{ text: lamp }, { text: lamp }, { text: 'Something else entirely.' }, { text: 'And more.' }], 2),
    ).toEqual([0, 2])
  })

  it('in recall: a note, its observation and its repetition', async () => {
    const { memory, store } = await setup()
    await memory.save({ kind: 'fact', text: lamp })
    const payload = { ownerUserId: 'ada', kind: 'tool_result', content: lamp }
    const draft = { concept: observation.name, payload, mutation: 'see' }
    await store.log.append([draft, draft], { owner: 'ada', actor: 'test', partition: 'acme' })
    await memory.reindex(Tier.LOCAL_INDEX)
    const { results } = await memory.recall({ text: 'why does the lamp in the hall flicker?' })
    expect(results.map(({ of }) => of)).toEqual(['note'])
  })

  it('in an agent’s prompt also for two files of a person', async () => {
    const { memory, write } = await setup()
    for (const key of ['Diary/a.md', 'Diary/b.md']) await write(key, `# The lamp\n\n${lamp}\n`)
    const ask = async (floor: 'mild' | 'strict') =>
      (await memory.recall({ text: 'why does the lamp in the hall flicker?', floor })).results.length
    expect([await ask('mild'), await ask('strict')]).toEqual([2, 1])
  })
})

const agentsLine =
  '---\nkind: note\nstatus: active\ncreated: 2026-01-02\nwritten_by: agent\nslug: x\n---\n\nDone: move the zirconium parser\n'

describe('routine lines', () => {
  it.each(['Done: move the parser', 'Failed: the deploy', 'decompose: ship it', 'Step 3 was assigned to mira'])(
    '%s',
    (text) => {
      expect(isRoutineStatement(text)).toBe(true)
      expect(isRoutineEpisode({ kind: 'note', content: text })).toBe(true)
    },
  )

  it.each(['Done: the parser.\nLearned: it needs a lock.', 'The deploy failed: the disk was full.'])(
    'are not what a text with something to remember is: %s',
    (text) => {
      expect(isRoutineStatement(text)).toBe(false)
    },
  )

  it('that an agent saved stay out, and a person’s own line stays', async () => {
    const { memory, write } = await setup()
    await write('projects/acme/note/agents.md', agentsLine)
    await write('Diary/mine.md', 'Done: move the zirconium parser\n')
    const { results } = await memory.recall({ text: 'zirconium parser' })
    expect(results.map(({ key }) => key)).toEqual(['Diary/mine.md'])
  })
})
