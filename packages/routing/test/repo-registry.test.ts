import { InMemoryBackend } from '@agentm/conformance'
import { findRepo, readRepos, registerRepo, unregisterRepo } from '@agentm/routing'
import { Capabilities, type Change, type Locator, StorageBackend } from '@agentm/storage-seam'
import { describe, expect, it } from 'vitest'

// As a Python program leaves it, with keys of its own at both levels.
const python = `{
  "schema": "x",
  "repos": [
    {
      "slug": "caf\\u00e9",
      "root_path": "/home/j\\u00fcrgen/caf\\u00e9",
      "wiki_path": "wiki",
      "10": 1.0,
      "9": []
    },
    {
      "note": "no name"
    },
    {
      "slug": "twice",
      "root_path": "/a"
    },
    {
      "slug": "twice",
      "root_path": "/b"
    }
  ],
  "version": 1
}
`

async function withRegistry(text?: string) {
  const backend = new InMemoryBackend()
  const at = backend.resolve('_meta', 'repos.json')
  if (text !== undefined) await backend.write(at, text)
  return { backend, at, textNow: async () => await backend.read(at) }
}

describe('the registry', () => {
  it('absent: no repositories, and reading makes no file', async () => {
    const { backend, at } = await withRegistry()
    expect(await readRepos(backend)).toEqual([])
    expect(await unregisterRepo(backend, 'x')).toBe(false)
    expect(await backend.exists(at)).toBe(false)
  })

  it('is written as Python writes it', async () => {
    const { backend, textNow } = await withRegistry()
    await registerRepo(backend, { slug: 'café', rootPath: '/home/jürgen/😀' })
    await registerRepo(backend, { slug: 'b', rootPath: '', wikiPath: 'w//x/' })
    expect(await textNow()).toBe(`{
  "version": 1,
  "repos": [
    {
      "slug": "caf\\u00e9",
      "root_path": "/home/j\\u00fcrgen/\\ud83d\\ude00"
    },
    {
      "slug": "b",
      "root_path": ".",
      "wiki_path": "w/x"
    }
  ]
}
`)
  })

  it('is read in order, keys of others aside', async () => {
    const { backend } = await withRegistry(python)
    expect(await readRepos(backend)).toEqual([
      { slug: 'café', rootPath: '/home/jürgen/café', wikiPath: 'wiki', bindings: [] },
      { slug: 'twice', rootPath: '/a', bindings: [] },
      { slug: 'twice', rootPath: '/b', bindings: [] },
    ])
    expect((await findRepo(backend, 'twice'))?.rootPath).toBe('/a')
  })

  it('registering again updates the first entry in place and keeps its other fields, byte for byte', async () => {
    const { backend, textNow } = await withRegistry(python)
    await registerRepo(backend, { slug: 'café', rootPath: '/new' })
    expect(await textNow()).toBe(python.replace('/home/j\\u00fcrgen/caf\\u00e9', '/new'))
    await registerRepo(backend, { slug: 'twice', rootPath: '/c', wikiPath: 'w' })
    expect(await textNow()).toBe(
      python
        .replace('/home/j\\u00fcrgen/caf\\u00e9', '/new')
        .replace('"root_path": "/a"\n', '"root_path": "/c",\n      "wiki_path": "w"\n'),
    )
  })

  it('a missing version and list are appended', async () => {
    const { backend, textNow } = await withRegistry('{"a": 1}')
    await registerRepo(backend, { slug: 's', rootPath: '/s' })
    expect(await textNow()).toBe(`{
  "a": 1,
  "version": 1,
  "repos": [
    {
      "slug": "s",
      "root_path": "/s"
    }
  ]
}
`)
  })

  it('unregister removes all of that name', async () => {
    const { backend, textNow } = await withRegistry(python)
    expect(await unregisterRepo(backend, 'twice')).toBe(true)
    expect(await textNow()).not.toContain('twice')
    expect(await unregisterRepo(backend, 'café')).toBe(true)
    expect(await textNow()).toBe(
      '{\n  "schema": "x",\n  "repos": [\n    {\n      "note": "no name"\n    }\n  ],\n  "version": 1\n}\n',
    )
  })

  it('unregister of the unknown writes nothing', async () => {
    const { backend, textNow } = await withRegistry('{"repos":[]}')
    expect(await unregisterRepo(backend, 'x')).toBe(false)
    expect(await textNow()).toBe('{"repos":[]}')
  })

  it.each([
    ['/a//b/./c/', '/a/b/c'],
    ['', '.'],
    ['./', '.'],
    ['//a', '//a'],
    ['///a', '/a'],
    ['/', '/'],
    ['../x', '../x'],
    ['~/x', '~/x'],
    ['a\\b', 'a\\b'],
  ])('the path %j is kept as %j', async (given, kept) => {
    const { backend } = await withRegistry()
    expect((await registerRepo(backend, { slug: 's', rootPath: given }))[0]?.rootPath).toBe(kept)
  })

  it.each([[''], ['..'], ['a/b']])('the slug %j is refused', async (slug) => {
    const { backend, at } = await withRegistry()
    await expect(registerRepo(backend, { slug, rootPath: '/s' })).rejects.toMatchObject({ code: 'INVALID_SLUG' })
    expect(await backend.exists(at)).toBe(false)
  })

  it.each([
    ['corrupt', '{"repos": ['],
    ['with a byte order mark', '\uFEFF{"repos": []}'],
    ['not an object', '[]'],
    ['with repos null', '{"repos": null}'],
    ['with an entry that is no object', '{"repos": [5]}'],
    ['with bindings that are no list', '{"repos": [{"slug": "s", "bindings": 5}]}'],
  ])('%s: refused and never repaired', async (_, text) => {
    const { backend, textNow } = await withRegistry(text)
    const refused = { code: 'REGISTRY_CORRUPT' }
    await expect(readRepos(backend)).rejects.toMatchObject(refused)
    await expect(registerRepo(backend, { slug: 's', rootPath: '/s', binding: { root: '/s' } })).rejects.toMatchObject(
      refused,
    )
    expect(await textNow()).toBe(text)
  })

  it('many registrations at once: none is lost, each is one update of the registry and one of its journal', async () => {
    const backend = new CountsUpdates()
    const slugs = Array.from({ length: 40 }, (_, i) => `s${i}`)
    await Promise.all(slugs.map((slug) => registerRepo(backend, { slug, rootPath: `/${slug}` })))
    expect((await readRepos(backend)).map(({ slug }) => slug).toSorted()).toEqual(slugs.toSorted())
    expect(backend.updates).toBe(80)
    expect(backend.otherWrites).toBe(0)
  })

  it('a registration that another program wrote over is made again', async () => {
    const backend = new Overwritten()
    await registerRepo(backend, { slug: 'mine', rootPath: '/mine' })
    expect((await readRepos(backend)).map(({ slug }) => slug)).toEqual(['theirs', 'mine'])
  })

  it('a backend without conditional writes refuses, naming the capability', async () => {
    class Plain extends InMemoryBackend {
      override readonly capabilities = new Capabilities()
    }
    await expect(registerRepo(new Plain(), { slug: 's', rootPath: '/s' })).rejects.toMatchObject({
      code: 'UNSUPPORTED_CAPABILITY',
      capability: 'conditionalWrite',
    })
  })
})

class CountsUpdates extends InMemoryBackend {
  updates = 0
  otherWrites = 0
  override async update(at: Locator, change: Change): Promise<string | undefined> {
    this.updates++
    return await StorageBackend.prototype.update.call(this, at, change)
  }
  override async write(...given: Parameters<InMemoryBackend['write']>): Promise<Locator> {
    if (given[2]?.ifHash === undefined) this.otherWrites++
    return await super.write(...given)
  }
}

/** Right after the first update somebody puts their older copy there. */
class Overwritten extends InMemoryBackend {
  #done = false
  override async update(at: Locator, change: Change): Promise<string | undefined> {
    const text = await super.update(at, change)
    if (!this.#done) await this.write(at, '{"version": 1, "repos": [{"slug": "theirs", "root_path": "/t"}]}')
    this.#done = true
    return text
  }
}
