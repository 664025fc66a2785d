import { openMemory } from '@agentm/memory'
import { expect, test } from 'vitest'
import { setup } from '../world.ts'

const body = 'The zirconium crucible is in the shed.'
const entry = (status: string, more = '') =>
  `---\nkind: fix\nstatus: ${status}\ncreated: 2026-01-02\nupdated: 2026-01-02\ntags: []\ngroup: x\nslug: a\nalways_load: false\n${more}---\n\n${body}\n`

const onlyBeta = async () => new Set(['beta'])
const torn = () => Promise.reject(new Error('the registry is torn'))

const statuses = [
  'inbox',
  'archived',
  'expired',
  'deleted',
  'superseded',
  'pruned',
  'done',
  'superseded\nsuperseded_by: ADR 7',
]

test.each(statuses)('recalls a person’s note whose own fields say status: %s', async (status) => {
  const { write, keys } = await setup()
  await write('My Diary/day.md', `---\nstatus: ${status}\ncreated: 2026-01-02\ntype: log\n---\n\n${body}\n`)
  await write('personal/day.md', `---\nstatus: ${status}\n---\n\n${body}\n`)
  expect((await keys('zirconium crucible')).toSorted()).toEqual(['My Diary/day.md', 'personal/day.md'])
})

test.each([
  ['as our programs write it, anywhere', 'My Diary/day.md', entry('archived')],
  [
    'as older tools count it, in a home of ours',
    'personal/fix/a.md',
    `---\nkind: fix\nstatus: expired\ncreated: 2026-01-02\n---\n${body}`,
  ],
  [
    'that waits in an inbox',
    'Elsewhere/a.md',
    `---\nkind: idea\nstatus: inbox\nslug: a\nmining_occurrences: 1\n---\n${body}`,
  ],
  ['that was forgotten', 'My Diary/day.md', `---\nstatus: deleted\ndeleted_at: 2026-01-02T00:00:00Z\n---\n${body}`],
])('follows the status of an entry of ours %s', async (_, key, text) => {
  const { write, keys } = await setup()
  await write(key, text)
  expect(await keys('zirconium crucible')).toEqual([])
})

test.each([
  'beliefs/on life.md',
  'beliefs/2024/on life.md',
  '_archive/a.md',
  'Work/_inbox/a.md',
  'Work/_always-load/a.md',
])('recalls a person’s note in a directory that is only called like one of ours: %s', async (key) => {
  const { write, keys, reader } = await setup()
  await write(key, `---\nstatus: archived\n---\n${body}`)
  expect(await keys('zirconium crucible')).toEqual([key])
  expect((await reader.bundle({})).text).toBe('')
})

test('recalls the notes of a person’s own projects/ everywhere, and of a project of ours only there', async () => {
  const { write, keys, options } = await setup()
  await write('projects/kitchen/plan.md', body)
  await write('projects/kitchen/_archive/old.md', `${body} Long ago.`)
  await write('projects/plan.md', `${body} In short.`)
  const marked = {
    registered: ['projects/beta/plan.md', body],
    'with state of ours': ['projects/state/_harness/PLAN.md', 'x', 'projects/state/plan.md', body],
    'with a directory of the phases': ['projects/phased/decisions/a.md', body],
    'with a front page': ['projects/front/_index.md', 'x', 'projects/front/deep/plan.md', body],
    'with an entry of ours': ['projects/full/fix/a.md', entry('active'), 'projects/full/about.md', body],
  }
  for (const [key = '', text = '', other, more = ''] of Object.values(marked)) {
    await write(key, text)
    if (other !== undefined) await write(other, more)
  }
  const found = async (more: object) =>
    (
      await openMemory({ ...options, registeredProjects: onlyBeta, ...more }).recall({
        text: 'zirconium crucible',
        k: 50,
      })
    ).results
      .flatMap(({ key }) => key ?? [])
      .toSorted()
  const everywhere = ['projects/kitchen/_archive/old.md', 'projects/kitchen/plan.md', 'projects/plan.md']
  expect(await found({})).toEqual(everywhere)
  expect(await found({ project: { slug: 'full' } })).toEqual(
    ['projects/full/about.md', 'projects/full/fix/a.md', ...everywhere].toSorted(),
  )
  expect(await found({ project: { slug: 'beta' } })).toEqual(['projects/beta/plan.md', ...everywhere].toSorted())
  expect(await keys('zirconium crucible', { project: '_global' })).toContain('projects/kitchen/plan.md')
})

test('lets a directory become a project of ours, and its notes nobody else’s then', async () => {
  const { write, options, memory, reader } = await setup()
  await write('projects/kitchen/plan.md', body)
  const keys = async (of: typeof reader) =>
    (await of.recall({ text: 'zirconium crucible' })).results.map(({ key }) => key)
  expect(await keys(memory)).toEqual(['projects/kitchen/plan.md'])
  expect(await keys(reader)).toEqual(['projects/kitchen/plan.md'])
  expect((await memory.notes()).map(({ key }) => key)).toEqual(['projects/kitchen/plan.md'])
  expect(await memory.history('projects/kitchen/plan.md')).toHaveLength(1)
  const kitchen = openMemory({ ...options, project: { slug: 'kitchen' } })
  await kitchen.save({ kind: 'fact', text: 'The oven is gas.' })
  for (const each of [reader, memory, reader]) expect(await keys(each)).toEqual([])
  expect(await memory.notes()).toEqual([])
  await expect(memory.history('projects/kitchen/plan.md')).rejects.toMatchObject({ code: 'NOTE_ABSENT' })
  expect(await keys(kitchen)).toEqual(['projects/kitchen/plan.md'])
})

test('takes every directory for a project of ours where the registry cannot be read', async () => {
  const { write, options } = await setup()
  await write('projects/kitchen/plan.md', body)
  const { results } = await openMemory({ ...options, registeredProjects: torn }).recall({ text: 'zirconium crucible' })
  expect(results).toEqual([])
})
