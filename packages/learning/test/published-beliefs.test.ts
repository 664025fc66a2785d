import { type Publication, syncBeliefs } from '@agentm/learning'
import { semanticMemory } from '@agentm/memory'
import { openMemoryReader } from '@agentm/memory/reader'
import { type Locator, storeMarkerKey, Tier } from '@agentm/storage-seam'
import { describe, expect, it } from 'vitest'
import { beliefFile } from '../src/publication/pure/belief-file.ts'
import { isTierDropped, verdictOn } from '../src/publication/pure/belief-sync.ts'
import { statementIn } from '@agentm/memory/notes'
import { setup, SyncedBackend } from './world.ts'

const hour = 3_600_000

function keyedStore() {
  const texts = new Map<string, string>()
  return {
    read: async (key: string) => texts.get(key),
    write: async (key: string, text: string) => void texts.set(key, text),
    remove: async (key: string) => void texts.delete(key),
  }
}

async function world(given: Parameters<typeof setup>[0] = {}) {
  const state = keyedStore()
  const republish = async () => void (await syncBeliefs(publication))
  const made = await setup({ deviceId: 'laptop', state, publishBeliefs: republish, ...given })
  const { store, options, backend } = made
  const publication: Publication = { ...made.publishing, deviceId: 'laptop', state }
  const believe = async (id: string, content: string, more: object = {}) => {
    const payload = {
      ownerUserId: options.owner,
      content,
      sourceEpisodes: ['v1:harness:observation:abcdef0123', 'v1:harness:plan:p1'],
      lastReinforced: '2026-02-03T04:05:06.000Z',
      formedAt: '2026-01-02T03:04:05.000Z',
      confidence: 0.65,
      ...more,
    }
    await store.log.append([{ concept: semanticMemory.name, id, payload, mutation: 'test' }], {
      owner: options.owner,
      actor: 'test',
      partition: 'acme',
    })
  }
  const at = (id: string): Locator => backend.resolve(`beliefs/laptop/${id}.md`)
  return {
    ...made,
    believe,
    publication,
    sync: async (other: Partial<Publication> = {}, how: NonNullable<Parameters<typeof syncBeliefs>[1]> = {}) =>
      syncBeliefs({ ...publication, ...other }, how),
    at,
    file: async (id: string) => backend.read(at(id)),
    edit: async (id: string, change: (text: string) => string) =>
      backend.write(at(id), change(await backend.read(at(id)))),
    belief: async (id: string) => store.log.latest(`${semanticMemory.name}:${id}`, { owner: options.owner }),
    phone: () => {
      const { log: _, recall: __, ...rest } = options
      return openMemoryReader({ ...rest, deviceId: 'phone' })
    },
  }
}

describe('published beliefs', () => {
  it('are notes with where they come from, how sure they are, and since when', async () => {
    const { believe, sync, file } = await world()
    await believe('b1', 'Staging listens on 5433.')
    expect(await sync()).toMatchObject({ published: 1 })
    expect(await file('b1')).toBe(
      [
        '---',
        'kind: fact',
        'status: active',
        'created: 2026-01-02',
        'updated: 2026-02-03',
        'tags: []',
        'group: beliefs/laptop',
        'slug: b1',
        'always_load: false',
        'belief: v1:harness:semanticMemory:b1',
        'version: 1',
        'owner: ada',
        'partition: acme',
        'confidence: 0.65',
        'provenance: distilled',
        'sources: [v1:harness:observation:abcdef0123, v1:harness:plan:p1]',
        '---',
        '',
        'Staging listens on 5433.',
        '',
        '---',
        '',
        'Formed from [observation abcdef01](agentm:v1:harness:observation:abcdef0123), [plan p1](agentm:v1:harness:plan:p1). ' +
          'Confidence 0.65, confirmed 2026-02-03. Edit the text above the line and your words stay; delete this file and the belief is forgotten.',
        '',
      ].join('\n'),
    )
  })

  it('are built again byte for byte', async () => {
    const { believe, sync, memory, file, backend, at } = await world()
    const ids = ['b1', 'b2', 'b3']
    for (const id of ids) await believe(id, `Belief ${id}.`)
    await sync()
    const files = async () => Promise.all(ids.map(file))
    const before = await files()
    for (const id of ids) await backend.remove(at(id))
    await memory.reindex(Tier.SHARED_ABSTRACTS)
    expect(await files()).toEqual(before)
    expect(await sync()).toMatchObject({ edited: [], forgotten: [], absent: [], withdrawn: [] })
  })

  it('are withdrawn when the belief is over, and erased when it is purged', async () => {
    const { believe, sync, memory, file } = await world()
    await believe('b1', 'Staging listens on 5433.')
    await believe('b2', 'The kettle is blue.')
    await sync()
    await memory.forget('v1:harness:semanticMemory:b1')
    await memory.forget('v1:harness:semanticMemory:b2', { purge: true })
    expect((await sync()).withdrawn).toHaveLength(2)
    for (const id of ['b1', 'b2']) await expect(file(id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('of another owner on the same device are left alone', async () => {
    const { believe, sync, options, file, publication } = await world()
    await believe('b1', 'Staging listens on 5433.')
    await sync()
    expect(await sync({ owner: 'bob' })).toMatchObject({ published: 0, withdrawn: [] })
    expect(await syncBeliefs({ ...publication, owner: 'bob' })).toMatchObject({ withdrawn: [] })
    expect(await file('b1')).toContain('5433')
    expect(
      (await openMemoryReader({ ...options, owner: 'bob', deviceId: 'other' }).recall({ text: 'staging' })).results,
    ).toEqual([])
  })
})

describe('what a person does to a published belief', () => {
  it('edits: the words become the belief, and a person stands behind it', async () => {
    const { believe, sync, edit, belief, file } = await world()
    await believe('b1', 'Staging listens on 5433.')
    await sync()
    await edit('b1', (text) => text.replace('listens on 5433.', 'listens on 6000,\r\nsince Monday.'))
    expect((await sync()).edited).toEqual(['v1:harness:semanticMemory:b1'])
    expect((await belief('b1'))?.payload).toMatchObject({
      content: 'Staging listens on 6000,\nsince Monday.',
      provenance: 'operator',
      confidence: 1,
      editedFrom: ['Staging listens on 5433.'],
    })
    expect(await file('b1')).toContain('listens on 6000,\nsince Monday.\n\n---\n\nFormed from')
    expect(await sync()).toMatchObject({ edited: [] })
    expect((await belief('b1'))?.version).toBe(2)
  })

  it('edits a belief that faded meanwhile: it is held again', async () => {
    const { believe, sync, edit, belief } = await world()
    await believe('b1', 'Staging listens on 5433.')
    await sync()
    await edit('b1', (text) => text.replace('5433', '6000'))
    await believe('b1', 'Staging listens on 5433.', { status: 'pruned', prunedBy: 'decay' })
    await sync()
    expect(await belief('b1')).toMatchObject({ status: 'active', payload: { content: 'Staging listens on 6000.' } })
  })

  it('changes fields or the line below: put right again, and no edit', async () => {
    const { believe, sync, edit, belief, file } = await world()
    await believe('b1', 'Staging listens on 5433.')
    await sync()
    const before = await file('b1')
    await edit('b1', (text) => text.replace('0.65', '0.99').replace('your words stay', 'whatever'))
    expect(await sync()).toMatchObject({ edited: [], published: 1 })
    expect(await file('b1')).toBe(before)
    expect((await belief('b1'))?.version).toBe(1)
  })

  it('writes what may not be a belief: it is refused, and stays in the file', async () => {
    const { believe, sync, edit, belief, file } = await world()
    await believe('b1', 'Staging listens on 5433.')
    await sync()
    const token = ['ghp', 'aB3dE5gH7jK9mN1pQ3rS5tU7vW9xY1zA3bC5'].join('_')
    await edit('b1', (text) => text.replace('5433', token))
    expect((await sync()).refused).toMatchObject([{ key: 'beliefs/laptop/b1.md' }])
    expect((await belief('b1'))?.version).toBe(1)
    expect(await file('b1')).toContain(token)
  })

  it('deletes: the belief is forgotten once two looks an hour apart agree', async () => {
    const { believe, sync, backend, at, belief, tick } = await world()
    await believe('b1', 'Staging listens on 5433.')
    await sync()
    await backend.remove(at('b1'))
    expect((await sync()).absent).toHaveLength(1)
    tick(hour - 1)
    expect((await sync()).forgotten).toEqual([])
    expect(await backend.exists(at('b1'))).toBe(false)
    tick(1)
    expect((await sync()).forgotten).toEqual(['v1:harness:semanticMemory:b1'])
    expect(await belief('b1')).toMatchObject({ status: 'pruned', payload: { prunedBy: 'operator' } })
    await sync()
    expect(await backend.exists(at('b1'))).toBe(false)
  })

  it('deletes, and asks twice to forget what is gone: no hour passes, and one call is not enough', async () => {
    const { believe, sync, memory, backend, at, belief } = await world()
    await believe('b1', 'Staging listens on 5433.')
    await believe('b2', 'The kettle is blue.')
    await sync()
    await backend.remove(at('b1'))
    const id = 'v1:harness:semanticMemory:b1'
    expect(await sync({}, { forgetAbsent: true })).toMatchObject({ absent: [id], forgotten: [] })
    expect(await sync()).toMatchObject({ absent: [id], forgotten: [] })
    expect(await sync({}, { forgetAbsent: true })).toMatchObject({ absent: [], forgotten: [id] })
    expect(await belief('b1')).toMatchObject({ status: 'pruned', payload: { prunedBy: 'operator' } })
    await memory.restore(id, { by: 'person' })
    expect(await sync({}, { forgetAbsent: true })).toMatchObject({ absent: [], forgotten: [], published: 2 })
    expect(await backend.exists(at('b1'))).toBe(true)
  })

  it('deletes, and the notes are built again: the file stays away', async () => {
    const { believe, sync, memory, backend, at } = await world()
    await believe('b1', 'Staging listens on 5433.')
    await sync()
    await backend.remove(at('b1'))
    await memory.reindex(Tier.SHARED_ABSTRACTS)
    expect(await backend.exists(at('b1'))).toBe(false)
    expect(await sync({}, { forgetAbsent: true })).toMatchObject({ forgotten: ['v1:harness:semanticMemory:b1'] })
  })

  it('marks it deleted: forgotten at once', async () => {
    const { believe, sync, edit, belief } = await world()
    await believe('b1', 'Staging listens on 5433.')
    await sync()
    await edit('b1', (text) => text.replace('status: active', 'status: deleted'))
    expect((await sync()).forgotten).toHaveLength(1)
    expect((await belief('b1'))?.status).toBe('pruned')
  })

  it('brings a file back within the hour: nothing happened', async () => {
    const { believe, sync, backend, at, file, belief, tick } = await world()
    await believe('b1', 'Staging listens on 5433.')
    await sync()
    const text = await file('b1')
    await backend.remove(at('b1'))
    await sync()
    await backend.write(at('b1'), text)
    await sync()
    await backend.remove(at('b1'))
    tick(2 * hour)
    expect(await sync()).toMatchObject({ forgotten: [], absent: ['v1:harness:semanticMemory:b1'] })
    expect((await belief('b1'))?.status).toBe('active')
  })
})

describe('nothing is concluded', () => {
  it('from a store without its marker', async () => {
    const { believe, sync, backend, at, belief, tick } = await world()
    await believe('b1', 'Staging listens on 5433.')
    await sync()
    await backend.remove(at('b1'))
    await backend.remove(backend.resolve(storeMarkerKey))
    for (let i = 0; i < 3; i++) {
      await expect(sync()).rejects.toMatchObject({ code: 'STORE_NOT_MARKED' })
      tick(2 * hour)
    }
    expect((await belief('b1'))?.status).toBe('active')
  })

  it('by a device that never saw the file', async () => {
    const { believe, sync, backend, at, belief, tick } = await world()
    await believe('b1', 'Staging listens on 5433.')
    await sync()
    await backend.remove(at('b1'))
    tick(2 * hour)
    expect(await sync({ state: keyedStore() })).toMatchObject({ published: 1, forgotten: [] })
    expect((await belief('b1'))?.status).toBe('active')
  })

  it('from all files gone at once: the tier was cleared, and is built again', async () => {
    const { believe, sync, backend, at, tick } = await world()
    for (const id of ['b1', 'b2', 'b3']) await believe(id, `Belief ${id}.`)
    await sync()
    for (const id of ['b1', 'b2', 'b3']) await backend.remove(at(id))
    expect(await sync()).toMatchObject({ published: 3, absent: [] })
    tick(2 * hour)
    expect(await sync()).toMatchObject({ published: 3, forgotten: [] })
  })

  it('from a file that is there and cannot be read now', async () => {
    const backend = new (class extends SyncedBackend {
      away = false
      override async read(at: Locator): Promise<string> {
        if (this.away && at.key.endsWith('b1.md'))
          throw Object.assign(new Error('in the cloud'), { code: 'ONLINE_ONLY' })
        return super.read(at)
      }
    })()
    const { believe, sync, belief, tick } = await world({ backend })
    await believe('b1', 'Staging listens on 5433.')
    await sync()
    backend.away = true
    for (let i = 0; i < 3; i++) {
      expect(await sync()).toMatchObject({ forgotten: [], absent: [], edited: [] })
      tick(2 * hour)
    }
    expect((await belief('b1'))?.status).toBe('active')
  })

  it('when a person writes between the look and the write: the words stay', async () => {
    const backend = new (class extends SyncedBackend {
      beforeWrite: (() => Promise<void>) | undefined
      override async write(...args: Parameters<SyncedBackend['write']>) {
        const [before, _] = [this.beforeWrite, (this.beforeWrite = undefined)]
        await before?.()
        return super.write(...args)
      }
    })()
    const { believe, sync, belief, edit } = await world({ backend })
    await believe('b1', 'Staging listens on 5433.')
    await sync()
    await believe('b1', 'Staging listens on 5433.', { confidence: 0.8 })
    backend.beforeWrite = async () => void (await edit('b1', (text) => text.replace('5433', '6000')))
    await sync()
    await sync()
    expect((await belief('b1'))?.payload['content']).toBe('Staging listens on 6000.')
  })
})

describe('another device, with the vault alone', () => {
  it('recalls the statement and not the line below it', async () => {
    const { believe, sync, phone } = await world()
    await believe('b1', 'Staging listens on 5433.')
    await sync()
    const { results } = await phone().recall({ text: 'where does staging listen?' })
    expect(results).toMatchObject([
      { id: 'v1:harness:semanticMemory:b1', of: 'belief', text: 'Staging listens on 5433.' },
    ])
    expect((await phone().recall({ text: 'forgotten words formed' })).results).toEqual([])
  })

  it('tells a belief once, in its newest version', async () => {
    const { believe, sync, phone, file, backend, read } = await world()
    await believe('b1', 'Staging listens on 5433.')
    await sync()
    const old = (await file('b1')).replace('group: beliefs/laptop', 'group: beliefs/desktop')
    await backend.write(backend.resolve('beliefs/desktop/b1.md'), old)
    await believe('b1', 'Staging listens on 6000.')
    await sync()
    expect(await read('beliefs/laptop/b1.md')).toContain('version: 2')
    expect((await phone().recall({ text: 'staging' })).results.map(({ text }) => text)).toEqual([
      'Staging listens on 6000.',
    ])
  })

  it('is not heard about what this log knows, and knows to be over', async () => {
    const { believe, sync, memory, file, backend } = await world()
    await believe('b1', 'Staging listens on 5433.')
    await sync()
    await backend.write(backend.resolve('beliefs/desktop/b1.md'), await file('b1'))
    await memory.forget('v1:harness:semanticMemory:b1')
    expect((await memory.recall({ text: 'staging' })).results).toEqual([])
  })
})

describe('verdictOn', () => {
  const found = { key: 'k', hash: 'h', statement: 's', status: 'active' }
  it.each([
    ['nothing left, nothing found', undefined, undefined, 'never-there'],
    ['as it was left', { key: 'k', hash: 'h' }, found, 'ours'],
    ['an older text of ours', { key: 'k', hash: 'x' }, { ...found, statement: 'before' }, 'ours'],
    ['words of somebody else', { key: 'k', hash: 'x' }, { ...found, statement: 'mine' }, 'edited'],
    ['words of somebody else, never seen before', undefined, { ...found, statement: 'mine' }, 'edited'],
    ['marked as over', { key: 'k', hash: 'x' }, { ...found, status: 'deleted' }, 'deleted'],
    ['gone a moment ago', { key: 'k', hash: 'h' }, undefined, 'gone-just-now'],
    ['gone for less than an hour', { key: 'k', hash: 'h', absentSince: 1 }, undefined, 'gone-just-now'],
    ['gone for an hour', { key: 'k', hash: 'h', absentSince: 0 }, undefined, 'deleted'],
  ])('%s', (_, left, file, is) => {
    expect(verdictOn({ left, found: file, said: ['before', 's'], now: hour })).toMatchObject({ is })
  })

  it('takes a directory that is empty at once for a tier that was dropped', () => {
    expect([isTierDropped(3, 3), isTierDropped(4, 3), isTierDropped(2, 2)]).toEqual([true, false, false])
  })
})

it('finds the statement also where a person took the line away, or wrote lines of their own', () => {
  expect(statementIn('\nA.\n')).toBe('A.')
  expect(statementIn('\nA.\n\n---\n\nB.\n\n---\n\nFormed from no episode. Confidence 1.\n')).toBe('A.\n\n---\n\nB.')
  const node = {
    id: 'v1:harness:semanticMemory:Odd',
    concept: semanticMemory.name,
    version: 1,
    seq: 1,
    owner: 'ada',
    partition: '_global',
    createdBy: 't',
    createdAt: 0,
    provenanceMutation: 't',
    status: 'active',
    payload: { content: 'A.', confidence: 0.1 + 0.2, sourceEpisodes: [] },
    redacted: false,
  }
  expect(beliefFile(node, 'd')).toMatch(/slug: [0-9a-f]{32}\n[^]*confidence: 0.3\n[^]*Formed from no episode\./)
})
