import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { bindProject, harnessStateDir, nameProject, readRepos, registerRepo, resolveProject } from '@agentm/routing'
import { slugObjection } from '../src/pure/slug.ts'
import { filePath, type FilePath } from '@agentm/vault-lock'
import { describe, expect, it } from 'vitest'
import { slugOfDirectory } from '../src/pure/slug.ts'
import { type CheckoutOptions, ownCheckout } from './own-checkout.ts'

const run = promisify(execFile)

/** Two repositories that were cloned from nowhere, both in a directory called `app`. */
async function twoApps(options: CheckoutOptions = { vault: true }) {
  const own = await ownCheckout(options)
  const other = filePath(join(own.home, 'other/app'))
  for (const each of [own.root, other]) await run('git', ['init', '-q', each])
  const bind = async (root: FilePath) => await bindProject(await own.resolve(root))
  return { ...own, other, bind }
}

describe('a repository that nobody named and that was cloned from nowhere', () => {
  it('is the project its directory is called, and is bound to it by the first write', async () => {
    const { root, resolve, bind } = await twoApps()
    expect(await resolve()).toMatchObject({ slug: 'app', namedBy: 'root', binding: 'unbound' })
    await bind(root)
    expect(await resolve()).toMatchObject({ slug: 'app', binding: 'bound', notices: [] })
  })

  it('is never the project of another directory of that name, and says why', async () => {
    const { root, other, resolve, bind } = await twoApps()
    await bind(root)
    const found = await resolve(other)
    expect(found.slug).toMatch(/^app-[0-9a-f]{6}$/)
    expect(found).toMatchObject({ binding: 'unbound' })
    expect(found.notices).toEqual([expect.stringContaining(`"app" belongs to ${root}`)])
    await bind(other)
    expect(await resolve(other)).toMatchObject({ slug: found.slug, binding: 'bound', notices: [] })
    expect(await resolve()).toMatchObject({ slug: 'app', binding: 'bound' })
  })

  it('does not take over a project that is in the store already', async () => {
    const { vault, resolve } = await twoApps()
    await mkdir(join(vault, 'projects/app'), { recursive: true })
    const { slug, notices } = await resolve()
    expect(slug).toMatch(/^app-/)
    expect(notices).toEqual([expect.stringContaining('"app" is in the store already')])
  })

  it('keeps its own name also when the registry is lost', async () => {
    const { root, other, vault, resolve, bind } = await twoApps()
    await bind(root)
    const { slug = '' } = await resolve(other)
    await mkdir(join(vault, 'projects', slug), { recursive: true })
    const { backend } = await resolve()
    await backend?.write(backend.resolve('_meta/repos.json'), '{"version": 1, "repos": []}')
    await backend?.write(backend.resolve('_meta/agentm-repos.json'), '{"version": 1, "repos": []}')
    expect((await resolve(other)).slug).toBe(slug)
  })

  it('has a name nobody else can get where nothing is noted', async () => {
    const { put, resolve } = await twoApps()
    await put('.agentm-no-register', '')
    expect((await resolve()).slug).toMatch(/^app-[0-9a-f]{6}$/)
  })

  it('is what it is registered as', async () => {
    const { root, resolve, bind } = await twoApps()
    await bind(root)
    const { backend, checkout } = await resolve()
    if (backend !== undefined) await registerRepo(backend, { slug: 'work', rootPath: root, binding: checkout })
    expect(await resolve()).toMatchObject({ slug: 'work', binding: 'bound' })
  })

  it('is not what another repository was at the same place, as in containers', async () => {
    const { root, resolve } = await twoApps()
    const { backend } = await resolve()
    const binding = { root, remote: 'host/o/other' }
    if (backend !== undefined) await registerRepo(backend, { slug: 'other', rootPath: root, binding })
    expect((await resolve()).slug).toBe('app')
  })

  it('keeps its plans with the checkout, where they always were', async () => {
    const { resolve } = await twoApps()
    expect(harnessStateDir(await resolve())).toMatchObject({ local: true })
    expect(harnessStateDir(await resolve())).not.toHaveProperty('refusal')
  })

  it('has a name also while the vault is away, and what is wrong is carried', async () => {
    const { resolve, config, home } = await twoApps({})
    await config({ 'storage.backend': 'vault', 'plugins.obsidian-vault.vault_path': join(home, 'away') })
    expect(await resolve()).toMatchObject({ slug: 'app', selectionError: { reason: 'no-root' } })
  })

  it('a directory that is no repository is no project', async () => {
    const { resolve } = await ownCheckout({ vault: true })
    expect((await resolve()).slug).toBeUndefined()
  })
})

describe('agentm project name', () => {
  it('names the checkout from anywhere below its root, in the file all programs look at first', async () => {
    const { root, home, world, put, resolve, filesBelow } = await twoApps()
    await put('.harness/project.json', '{"github": {"stars": 1.0}, "vault_project": "old"}')
    const below = filePath(join(root, 'src'))
    await mkdir(below)
    expect(await nameProject(below, 'work', world)).toMatchObject({ slug: 'work', namedBy: 'file', binding: 'bound' })
    expect((await filesBelow(join(home, 'src/app/.harness')))['project.json']).toBe(
      '{\n  "github": {\n    "stars": 1.0\n  },\n  "vault_project": "work"\n}\n',
    )
    const { backend } = await resolve()
    expect(backend === undefined ? [] : await readRepos(backend)).toMatchObject([{ slug: 'work', rootPath: root }])
  })

  it('refuses the name of another repository, and writes nothing', async () => {
    const { root, other, world, bind, filesBelow } = await twoApps()
    await bind(root)
    await expect(nameProject(other, 'app', world)).rejects.toMatchObject({ code: 'SLUG_BOUND' })
    expect(Object.keys(await filesBelow(other)).filter((name) => name.startsWith('.harness'))).toEqual([])
  })

  it('corrects a name that cannot be used', async () => {
    const { root, world, put, resolve } = await twoApps()
    await put('.harness/project.json', '{"vault_project": "../up"}')
    await expect(resolve()).rejects.toMatchObject({ code: 'INVALID_SLUG' })
    expect(await nameProject(root, 'up', world)).toMatchObject({ slug: 'up' })
  })

  it('refuses a project.json it does not understand, and leaves it alone', async () => {
    const { root, world, put, filesBelow } = await twoApps()
    await put('.harness/project.json', '{"github": ')
    await expect(nameProject(root, 'work', world)).rejects.toMatchObject({ code: 'UNREADABLE_FILE' })
    expect((await filesBelow(join(root, '.harness')))['project.json']).toBe('{"github": ')
  })

  it('is about the repository when it is asked in a worktree', async () => {
    const { root, home, world } = await twoApps()
    await run('git', [
      '-C',
      root,
      '-c',
      'user.name=a',
      '-c',
      'user.email=a@b',
      'commit',
      '-q',
      '--allow-empty',
      '-m',
      'x',
    ])
    const worktree = filePath(join(home, 'src/feature'))
    await run('git', ['-C', root, 'worktree', 'add', '-q', '--detach', worktree])
    await nameProject(worktree, 'work', world)
    expect(await resolveProject({ cwd: root }, world)).toMatchObject({ slug: 'work' })
  })
})

it.each([
  ['app', 'app'],
  ['My App', 'My App'],
  ['.dotfiles', 'dotfiles'],
  ['__init__', 'init__'],
  ['a\\b', 'a-b'],
  ['tab\there', 'tab-here'],
  ['...', 'checkout'],
  ['', 'checkout'],
  ['é'.repeat(300), 'é'.repeat(92)],
])('a directory called %j is the project %j', (name, slug) => {
  expect(slugOfDirectory(name)).toBe(slug)
  expect(slugObjection(`${slugOfDirectory(name)}-012345`)).toBeUndefined()
})
