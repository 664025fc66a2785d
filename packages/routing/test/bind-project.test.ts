import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { findRepo, readStateFile, registerRepo, resolveProject, statePath, writeStateFile } from '@agentm/routing'
import { SlugBoundError } from '../src/routing-errors.ts'
import type { FilePath } from '@agentm/vault-lock'
import { describe, expect, it } from 'vitest'
import { remoteIdentity } from '../src/pure/remote-identity.ts'
import { ownCheckout } from './own-checkout.ts'

/** Checkouts of one name on one machine, each cloned from where it says. */
async function checkouts(options: Parameters<typeof ownCheckout>[0] = {}) {
  const own = await ownCheckout({ vault: true, ...options })
  const checkout = async (directory: string, origin?: string) => {
    const cwd = join(own.home, directory) as FilePath
    await mkdir(join(cwd, '.harness'), { recursive: true })
    await own.put(join('../..', directory, '.harness/project.json'), '{"vault_project": "s"}')
    const world = { ...own.world, originUrl: async () => await Promise.resolve(origin) }
    return { cwd, world, resolve: async () => await resolveProject({ cwd }, world) }
  }
  return { ...own, checkout }
}

const elsewhere = 'git@example.com:other/s.git'

describe('a project name belongs to the repository that wrote under it first', () => {
  it('is bound by the first write, in extra keys of its entry', async () => {
    const { checkout, vault, filesBelow, home } = await checkouts()
    const { resolve } = await checkout('a', 'https://ada:secret@Example.com/o/s.git')
    expect((await resolve()).binding).toBe('unbound')
    await writeStateFile(await resolve(), 'PLAN.md', 'a')
    expect((await filesBelow(vault))['_meta/repos.json']).toBe(`{
  "version": 1,
  "repos": [
    {
      "slug": "s",
      "root_path": "${home}/a",
      "bindings": [
        {
          "root": "${home}/a",
          "remote": "example.com/o/s"
        }
      ]
    }
  ]
}
`)
    expect((await resolve()).binding).toBe('bound')
  })

  it('an entry of a Python program is bound in place, and nothing else of it changes', async () => {
    const { checkout, vault, filesBelow, putInVault, home } = await checkouts()
    const { resolve } = await checkout('a')
    await putInVault('_meta/repos.json', '{"version":1,"repos":[{"slug":"s","root_path":"/elsewhere","mine":1.0}]}')
    await writeStateFile(await resolve(), 'PLAN.md', 'a')
    const text = (await filesBelow(vault))['_meta/repos.json']
    expect(JSON.parse(text ?? '')).toEqual({
      version: 1,
      repos: [{ slug: 's', root_path: '/elsewhere', mine: 1, bindings: [{ root: `${home}/a` }] }],
    })
    expect(text).toContain('"mine": 1.0')
  })

  it('later writes leave the registry alone', async () => {
    const { checkout, vault, filesBelow, putInVault } = await checkouts()
    const { resolve } = await checkout('a', elsewhere)
    await writeStateFile(await resolve(), 'PLAN.md', 'a')
    const registry = (await filesBelow(vault))['_meta/repos.json'] ?? ''
    await putInVault('_meta/repos.json', registry.replaceAll('\n', ' '))
    await writeStateFile(await resolve(), 'PLAN.md', 'b')
    expect((await filesBelow(vault))['_meta/repos.json']).toBe(registry.replaceAll('\n', ' '))
  })

  it('another root with the same remote, however it is reached, is the same project', async () => {
    const { checkout, vault, filesBelow } = await checkouts()
    const [a, b] = [await checkout('a', 'https://github.com/o/s'), await checkout('b', 'git@github.com:o/s.git')]
    await writeStateFile(await a.resolve(), 'PLAN.md', 'of a')
    expect((await b.resolve()).binding).toBe('bound')
    await writeStateFile(await b.resolve(), 'PLAN.md', 'of b')
    expect((await filesBelow(vault))['projects/s/_harness/PLAN.md']).toBe('of b')
  })

  it.each([
    ['another remote', 'https://github.com/o/s', 'https://github.com/p/s'],
    ['no remote either', undefined, undefined],
    ['a remote, where the first had none', undefined, 'https://github.com/o/s'],
    ['no remote, where the first had one', 'https://github.com/o/s', undefined],
  ])('another root with %s is refused, and reads nothing', async (_, first, second) => {
    const { checkout, vault, filesBelow } = await checkouts()
    const [a, b] = [await checkout('a', first), await checkout('b', second)]
    await writeStateFile(await a.resolve(), 'PLAN.md', 'of a')
    const project = await b.resolve()
    expect(project.binding).toBe('foreign')
    await expect(writeStateFile(project, 'PLAN.md', 'of b')).rejects.toMatchObject({ code: 'SLUG_BOUND', slug: 's' })
    expect(await readStateFile(project, 'PLAN.md')).toEqual({ kind: 'absent' })
    expect(await statePath(project, { which: 'plan' }, b.world)).toBe(join(b.cwd, '.harness/PLAN.md'))
    expect(project.notices.join()).toContain('agentm repos register --slug s')
    expect((await filesBelow(vault))['projects/s/_harness/PLAN.md']).toBe('of a')
  })

  it('the same root with two remotes is two projects: in containers every checkout is at one place', async () => {
    const { checkout } = await checkouts()
    await writeStateFile(await (await checkout('a', 'https://github.com/o/s')).resolve(), 'PLAN.md', 'x')
    const other = await (await checkout('a', 'https://github.com/p/s')).resolve()
    await expect(writeStateFile(other, 'PLAN.md', 'y')).rejects.toMatchObject({ code: 'SLUG_BOUND' })
  })

  it('a checkout that gets a remote keeps its project, and brings its clones', async () => {
    const { checkout } = await checkouts()
    await writeStateFile(await (await checkout('a')).resolve(), 'PLAN.md', 'x')
    const url = 'https://github.com/o/s'
    await writeStateFile(await (await checkout('a', url)).resolve(), 'PLAN.md', 'y')
    expect((await (await checkout('b', url)).resolve()).binding).toBe('bound')
    expect((await (await checkout('a')).resolve()).binding).toBe('bound')
  })

  it('registering adds another checkout on purpose', async () => {
    const { checkout } = await checkouts()
    const [a, b] = [await checkout('a'), await checkout('b', elsewhere)]
    await writeStateFile(await a.resolve(), 'PLAN.md', 'x')
    const { backend, checkout: binding } = await b.resolve()
    if (backend === undefined) throw new TypeError('the vault is configured')
    await registerRepo(backend, { slug: 's', rootPath: binding.root, binding })
    await writeStateFile(await b.resolve(), 'PLAN.md', 'y')
    expect(await readStateFile(await a.resolve(), 'PLAN.md')).toEqual({ kind: 'text', text: 'y' })
    expect((await findRepo(backend, 's'))?.bindings).toHaveLength(2)
  })

  it('an unbound name is readable by everybody', async () => {
    const { checkout, putInVault } = await checkouts()
    await putInVault('projects/s/_harness/PLAN.md', 'older')
    const b = await checkout('b', elsewhere)
    expect(await readStateFile(await b.resolve(), 'PLAN.md')).toEqual({ kind: 'text', text: 'older' })
  })

  it('of two first writes at once only one wins', async () => {
    const { checkout } = await checkouts()
    const [a, b] = [await checkout('a'), await checkout('b')]
    const projects = [await a.resolve(), await b.resolve()] as const
    await writeStateFile(projects[0], 'PLAN.md', 'a')
    await expect(writeStateFile(projects[1], 'PLAN.md', 'b')).rejects.toMatchObject({ code: 'SLUG_BOUND' })
  })

  it('a corrupt registry refuses writes and degrades reads', async () => {
    const { checkout, putInVault, vault, filesBelow } = await checkouts()
    await putInVault('_meta/repos.json', '{')
    const { resolve } = await checkout('a')
    await expect(writeStateFile(await resolve(), 'PLAN.md', 'x')).rejects.toMatchObject({ code: 'REGISTRY_CORRUPT' })
    expect(await readStateFile(await resolve(), 'PLAN.md')).toEqual({ kind: 'absent' })
    expect(Object.keys(await filesBelow(vault))).toEqual(['_meta/repos.json'])
  })

  it('local state asks no registry', async () => {
    const { checkout, putInVault, put } = await checkouts()
    await putInVault('_meta/repos.json', '{')
    const { resolve } = await checkout('a')
    await put('../../a/.harness/.project-mode', 'local')
    await writeStateFile(await resolve(), 'PLAN.md', 'x')
    expect(await readStateFile(await resolve(), 'PLAN.md')).toEqual({ kind: 'text', text: 'x' })
  })

  it('.agentm-no-register: the first write does not register', async () => {
    const { checkout, put, vault, filesBelow } = await checkouts()
    const { resolve } = await checkout('a')
    await put('../../a/.agentm-no-register', '')
    await writeStateFile(await resolve(), 'PLAN.md', 'x')
    expect(Object.keys(await filesBelow(vault))).toEqual(['projects/s/_harness/PLAN.md'])
  })

  it('a backend without conditional writes takes the write and stays unbound', async () => {
    const { checkout, vault, filesBelow } = await checkouts({ declares: { sync: true } })
    const { resolve } = await checkout('a')
    await writeStateFile(await resolve(), 'PLAN.md', 'x')
    expect(Object.keys(await filesBelow(vault))).toEqual(['projects/s/_harness/PLAN.md'])
  })
})

it('the command to add a checkout can be pasted, whatever the name', () => {
  expect(new SlugBoundError("it's $(x)", 'a').message).toContain(String.raw`--slug 'it'\''s $(x)'.`)
})

describe('one spelling of a remote', () => {
  it.each([
    ['git@GitHub.com:o/r.git', 'github.com/o/r'],
    ['https://user:token@github.com/o/r/', 'github.com/o/r'],
    ['https://github.com:443/o/r.git/', 'github.com/o/r'],
    ['ssh://git@github.com:22/o/r', 'github.com/o/r'],
    ['git://github.com//o/r', 'github.com/o/r'],
    ['host:r.git', 'host/r'],
    ['/srv/git/r.git', '/srv/git/r'],
    ['file:///srv/git/r.git', '/srv/git/r'],
    ['../r', undefined],
    ['C:/x/r', undefined],
    [String.raw`C:\x\r`, undefined],
    ['', undefined],
  ])('%j is %j', (address, identity) => {
    expect(remoteIdentity(address)).toBe(identity)
  })
})
