import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { generatedSet } from '../eval/recall/generated-set.mjs'
import { measure } from '../eval/recall/measure.mjs'
import { paraphrasedNotes, paraphrasedSet, sharedWords } from '../eval/recall/paraphrased-set.mjs'
import { ours } from '../eval/recall/systems/ours.mjs'
import { table } from '../eval/recall/table.mjs'

describe('measure', () => {
  it('asks a system every question of the whole corpus, and splits its scores by kind', async () => {
    const corpus = ['a', 'b'].map((id) => ({ id, title: id, text: id }))
    const queries = corpus.map(({ id }) => ({ id: `q-${id}`, text: id, gold: [id], kind: `kind ${id}` }))
    let closed = false
    const close = () => {
      closed = true
    }
    const onlyA = { id: 'only a', open: async () => ({ rank: () => ['a'], close }) }
    const result = await measure(onlyA, { name: 'two', corpus, queries })
    expect(closed).toBe(true)
    expect(result).toMatchObject({ id: 'only a', recallAt1: 0.5, mrr: 0.5 })
    expect(result.byKind).toMatchObject({ 'kind a': { queries: 1, mrr: 1 }, 'kind b': { queries: 1, mrr: 0 } })
    expect(table([result])).toMatch(/^only a\s+0\.500.*\n\s+\.000–1\.000/m)
  })
})

describe('the paraphrased set', () => {
  it('asks three hundred questions, and none shares a word with its note', () => {
    expect(paraphrasedNotes().flatMap(sharedWords)).toEqual([])
    const halves = (['tuning', 'kept'] as const).map((half) => paraphrasedSet(half).queries.map(({ id }) => id))
    expect(halves.map(({ length }) => length)).toEqual([150, 150])
    expect(new Set(halves.flat())).toEqual(new Set(paraphrasedSet('all').queries.map(({ id }) => id)))
  })
})

describe('ours', () => {
  const corpus = [
    { id: 'lock', title: 'Locks', text: 'The mutex lives outside the vault.' },
    { id: 'lunch', title: 'Lunch', text: 'The canteen closes at two.' },
    { id: 'port', title: 'Staging', text: 'Staging listens on port 5433.' },
  ].map((note) => ({ ...note, at: '2024-03-05T10:00:00Z' }))
  const queries = [{ id: 'q', text: 'which port does staging use?', gold: ['port'], kind: 'any' }]

  it('is the engine over real files', async () => {
    const scratch = await mkdtemp(path.join(tmpdir(), 'recall-eval-'))
    try {
      const { rank, close } = await ours(scratch).open({ name: 'three', corpus, queries })
      expect(await rank('which port does staging use?')).toMatchObject({ 0: 'port' })
      expect(await rank('March 2024')).toHaveLength(3)
      // Nothing in common but what a word means.
      expect(await rank('cafeteria food')).toContain('lunch')
      expect(await readdir(scratch)).toHaveLength(1)
      await close()
      expect(await readdir(scratch)).toEqual([])
    } finally {
      await rm(scratch, { recursive: true })
    }
  })
})

describe('the command', () => {
  it('says what is not there and exits 2', async () => {
    const command = path.join(import.meta.dirname, '..', 'eval', 'recall.mjs')
    const asked = promisify(execFile)(process.execPath, [command, '--data', '/nowhere/at-all'])
    await expect(asked).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining('/nowhere/at-all') })
  })
})

describe('generatedSet', () => {
  const set = generatedSet(1)

  it('is the same for the same seed and another for another', () => {
    expect(generatedSet(1)).toEqual(set)
    expect(generatedSet(2).corpus).not.toEqual(set.corpus)
  })

  it('asks questions of every kind, each answered by a note that is there', () => {
    const ids = new Set(set.corpus.map(({ id }) => id))
    expect(ids.size).toBe(set.corpus.length)
    expect(set.queries.every(({ gold }) => gold.length > 0 && gold.every((id) => ids.has(id)))).toBe(true)
    expect([...new Set(set.queries.map(({ kind }) => kind))].toSorted()).toEqual([
      'near-duplicate',
      'paraphrase',
      'project',
      'time',
      'update',
    ])
  })

  it('holds the newest word on a changed fact as the only right answer', () => {
    const notes = new Map(set.corpus.map((note) => [note.id, note]))
    for (const { gold } of set.queries.filter(({ kind }) => kind === 'update')) {
      const right = notes.get(gold[0] ?? '')
      const rivals = set.corpus.filter(({ title }) => title === right?.title)
      expect(rivals.length).toBeGreaterThan(1)
      expect(rivals.every(({ at = '' }) => at <= (right?.at ?? ''))).toBe(true)
    }
  })
})
