import { describe, expect, it } from 'vitest'
import { openMemory } from '@agentm/memory'
import { type ForeignNote, previewImport } from '@agentm/memory/notes'
import { importDecision, type KnownImport } from '../../src/notes/pure/import-decision.ts'
import type { Locator, WriteOptions } from '@agentm/storage-seam'
import { setup, SyncedBackend } from '../world.ts'

class DiesAfterArchive extends SyncedBackend {
  dies = false
  override async write(at: Locator, text: string, options?: WriteOptions): Promise<Locator> {
    if (this.dies && !at.key.includes('_archive')) throw new Error('killed')
    return super.write(at, text, options)
  }
}

const entry = (text: string, more: Partial<ForeignNote> = {}): ForeignNote => ({
  origin: { from: 'mem0', id: 'a' },
  kind: 'memory',
  title: text,
  text,
  writtenBy: 'agent',
  ...more,
})

const known = (more: Partial<KnownImport>): KnownImport => ({
  key: 'k',
  print: 'old',
  imported: 'old',
  isActive: true,
  mayReplace: true,
  ...more,
})

describe('the decision about an entry', () => {
  it.each([
    ['create', {}],
    ['known', { same: known({ print: 'new' }) }],
    ['keep', { own: known({ imported: 'new' }) }],
    ['keep', { own: known({ imported: 'new', isActive: false }) }],
    ['keep', { own: known({ print: 'new' }) }],
    ['replace', { own: known({}) }],
    ['forgotten', { own: known({ isActive: false }) }],
    ['edited-here', { own: known({ print: 'edited' }) }],
    ['person-needed', { own: known({ mayReplace: false }) }],
  ])('is %s', (expected, { own, same }: { own?: KnownImport; same?: KnownImport }) => {
    const decision = importDecision('new', { own, same })
    expect(decision.action === 'skip' ? decision.why : decision.action).toBe(expected)
  })
})

describe('an import', () => {
  it('keeps the origin and the time of an entry in the note', async () => {
    const { options, backend } = await setup()
    const target = await openMemory(options).openImport({ write: true })
    const made = await target.add(entry('Likes tea', { at: Date.UTC(2025, 4, 6, 12), tags: ['Work Style'] }))
    expect(made).toMatchObject({ outcome: 'new', key: 'projects/acme/memory/likes-tea.md' })
    const note = await backend.read(backend.resolve('projects/acme/memory/likes-tea.md'))
    expect(note).toContain('created: 2025-05-06\n')
    expect(note).toContain('tags: [work-style]\n')
    expect(note).toContain('imported_from: mem0\nimported_id: a\nimported_time: 2025-05-06T12:00:00Z\n')
  })

  it('previews without writing, in a store and without one', async () => {
    const { options, backend } = await setup()
    const target = await openMemory(options).openImport({ write: false })
    for (const preview of [target, previewImport()]) {
      expect(await preview.add(entry('Likes tea'))).toMatchObject({ outcome: 'new' })
      expect(await preview.add(entry('Likes tea', { origin: { from: 'mem0', id: 'b' } }))).toMatchObject({
        outcome: 'known',
      })
    }
    expect(await backend.exists(backend.resolve('projects/acme'))).toBe(false)
  })

  it('gives two entries of one name two notes', async () => {
    const { options } = await setup()
    const target = await openMemory(options).openImport({ write: true })
    const first = await target.add(entry('One', { title: 'Same' }))
    const second = await target.add(entry('Two', { title: 'Same', origin: { from: 'mem0', id: 'b' } }))
    expect(first.key).toBe('projects/acme/memory/same.md')
    expect(second.key).toMatch(/^projects\/acme\/memory\/same-[0-9a-f]{6}\.md$/)
  })

  it('makes one note of an entry that two processes import at once', async () => {
    const { options, backend } = await setup()
    const [one, other] = await Promise.all([0, 1].map(async () => openMemory(options).openImport({ write: true })))
    await Promise.all([one, other].map(async (target) => target?.add(entry('Likes tea'))))
    const listed = await backend.list(backend.resolve('projects/acme/memory'))
    expect(listed.map(({ key }) => key)).toEqual(['projects/acme/memory/likes-tea.md'])
  })

  it('leaves fields that agentm gives a meaning to agentm', async () => {
    const { options, backend } = await setup()
    const target = await openMemory(options).openImport({ write: true })
    await target.add(entry('Likes tea', { fields: { always_load: true, aliases: ['Chai'], imported_hash: 'x' } }))
    const note = await backend.read(backend.resolve('projects/acme/memory/likes-tea.md'))
    expect(note).toContain('aliases: [Chai]\n')
    expect(note).not.toMatch(/always_load: true|imported_hash: x\n/)
  })

  it('archives a former text once, also if the first attempt ended between its two writes', async () => {
    const backend = new DiesAfterArchive()
    const { options, tick } = await setup({ backend })
    await (await openMemory(options).openImport({ write: true })).add(entry('Likes tea'))
    const change = async () => (await openMemory(options).openImport({ write: true })).add(entry('Likes coffee'))
    backend.dies = true
    await expect(change()).rejects.toThrow('killed')
    backend.dies = false
    tick(60_000)
    expect(await change()).toMatchObject({ outcome: 'changed' })
    const archived = await backend.list(backend.resolve('personal/_archive/projects/acme/memory'))
    expect(archived.map(({ name }) => name)).toEqual(['likes-tea.20260301.md'])
  })

  it('is found by recall once it is finished', async () => {
    const { options } = await setup()
    const memory = openMemory(options)
    const target = await memory.openImport({ write: true })
    await target.add(entry('The kettle whistles at noon'))
    await target.finish()
    expect((await memory.recall({ text: 'kettle' })).results[0]?.key).toBe(
      'projects/acme/memory/the-kettle-whistles-at-noon.md',
    )
  })
})
