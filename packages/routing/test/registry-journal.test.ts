import { InMemoryBackend } from '@agentm/conformance'
import { readRepos, registerRepo, unregisterRepo } from '@agentm/routing'
import { describe, expect, it } from 'vitest'
import { journaled, restored, unjournaled } from '../src/pure/registry-journal.ts'

async function store() {
  const backend = new InMemoryBackend()
  const at = backend.resolve('_meta/repos.json')
  const register = async (slug: string, root = `/${slug}`) =>
    await registerRepo(backend, { slug, rootPath: root, binding: { root } })
  return {
    backend,
    register,
    copy: async () => await backend.read(at),
    putBack: async (text: string) => await backend.write(at, text),
    known: async () =>
      (await readRepos(backend)).map(({ slug, bindings }) => [slug, ...bindings.map(({ root }) => root)]),
  }
}

describe('a program that writes an older copy of the registry back', () => {
  it('takes nothing away that was registered since', async () => {
    const { register, copy, putBack, known } = await store()
    await register('one')
    const old = await copy()
    await register('two')
    await register('one', '/elsewhere')
    await putBack(old)
    expect(await known()).toEqual([
      ['one', '/one', '/elsewhere'],
      ['two', '/two'],
    ])
    await register('three')
    expect(await copy()).toContain('"two"')
    expect(await known()).toHaveLength(3)
  })

  it('brings nothing back that was unregistered since', async () => {
    const { backend, register, copy, putBack, known } = await store()
    await register('one')
    await register('two')
    const old = await copy()
    await unregisterRepo(backend, 'one')
    await putBack(old)
    expect(await known()).toEqual([['two', '/two']])
    expect(await unregisterRepo(backend, 'one')).toBe(false)
  })

  it('may register anew what was unregistered, and so may we', async () => {
    const { backend, register, putBack, known } = await store()
    await register('one')
    await unregisterRepo(backend, 'one')
    await putBack('{"version": 1, "repos": [{"slug": "one", "root_path": "/theirs"}]}')
    expect(await known()).toEqual([['one']])
    await register('one', '/ours')
    expect(await known()).toEqual([['one', '/ours']])
  })

  it('keeps what it changed of an entry itself', async () => {
    const { backend, register, putBack } = await store()
    await register('one')
    await putBack('{"version": 1, "repos": [{"slug": "one", "root_path": "/moved", "theirs": 1.0}]}')
    expect(await readRepos(backend)).toEqual([{ slug: 'one', rootPath: '/moved', bindings: [{ root: '/one' }] }])
  })

  it('may have emptied the file or removed it', async () => {
    const { backend, register, putBack, known } = await store()
    await register('one')
    await putBack('{"version": 1, "repos": []}')
    expect(await known()).toEqual([['one', '/one']])
    await backend.remove(backend.resolve('_meta/repos.json'))
    expect(await known()).toEqual([['one', '/one']])
  })
})

describe('the journal', () => {
  it('that cannot be read is refused by its own name', async () => {
    const { backend, register } = await store()
    await register('one')
    await backend.write(backend.resolve('_meta/agentm-repos.json'), '{"repos": [')
    const refused = {
      code: 'REGISTRY_CORRUPT',
      message: expect.stringContaining('_meta/agentm-repos.json is not JSON'),
    }
    await expect(readRepos(backend)).rejects.toMatchObject(refused)
    await expect(register('two')).rejects.toMatchObject(refused)
  })

  it('adds nothing to a registry that has everything', () => {
    const registry = '{"repos":[{"slug":"one","root_path":"/one","bindings":[{"root":"/one"}]}]}'
    expect(restored(registry, journaled(undefined, registry, 'one'))).toBe(registry)
    expect(restored(registry, undefined)).toBe(registry)
    expect(restored(undefined, undefined)).toBeUndefined()
  })

  it('takes along what an older version bound, and nothing that is not bound', () => {
    const registry =
      '{"repos":[{"slug":"bound","root_path":"/b","bindings":[{"root":"/b"}]},{"slug":"theirs","root_path":"/t"},{"slug":"new","root_path":"/n"}]}'
    const journal = journaled(undefined, registry, 'new')
    expect(restored('{"repos":[]}', journal)).toMatch(/"bound"[^]*"new"/)
    expect(restored('{"repos":[]}', journal)).not.toContain('theirs')
    expect(restored('{"repos":[]}', unjournaled(journal, 'bound'))).not.toContain('"bound"')
  })
})
