import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { resolveProject } from '@agentm/routing'
import { slugObjection } from '../src/pure/slug.ts'
import { filePath } from '@agentm/vault-lock'
import { describe, expect, it } from 'vitest'
import { ownCheckout } from './own-checkout.ts'

const git = promisify(execFile)

describe('the project name', () => {
  it.each([
    ['1: vault_project, trimmed', { vault_project: ' my app ', github: { repo: 'o/r' } }, 'my app'],
    ['2: github.repo after the last slash', { github: { repo: 'o/r' } }, 'r'],
    ['2: one .git off', { github: { repo: 'o/r.git.git' } }, 'r.git'],
    ['vault_project blank: next', { vault_project: ' ', github: { repo: 'o/r' } }, 'r'],
    ['vault_project not text: next', { vault_project: 5 }, 'origin'],
    ['github.repo ends in a slash: next', { github: { repo: 'o/' } }, 'origin'],
    ['github not an object: next', { github: 'o/r' }, 'origin'],
    ['nothing said: 3, the remote', {}, 'origin'],
  ])('%s', async (_, settings, slug) => {
    const { put, resolve } = await ownCheckout({ origin: 'https://example.com/o/origin.git' })
    await put('.harness/project.json', JSON.stringify(settings))
    expect((await resolve()).slug).toBe(slug)
  })

  it.each([
    ['git@github.com:o/r.git', 'r'],
    ['git@host:r', 'r'],
    ['https://host/o/r///', 'r'],
    ['https://host/o/r.git/', 'r'],
    ['/srv/git/r.git', 'r'],
    ['ssh://git@host:22/o/r', 'r'],
  ])('of the remote %s', async (origin, slug) => {
    const { resolve } = await ownCheckout({ origin })
    expect((await resolve()).slug).toBe(slug)
  })

  it('4: none', async () => {
    const { resolve } = await ownCheckout()
    expect(await resolve()).not.toHaveProperty('slug')
  })

  it.each([['{ "vault_project": '], ['["a"]'], ['\uFEFF{"vault_project": "a"}']])(
    'project.json corrupt or not an object: next step, with a notice (%j)',
    async (text) => {
      const { put, resolve } = await ownCheckout({ origin: 'https://example.com/o/origin' })
      await put('.harness/project.json', text)
      const { slug, notices } = await resolve()
      expect(slug).toBe('origin')
      expect(notices.join()).toContain('project.json')
    },
  )

  it('project.json not UTF-8, or a directory: refused by name', async () => {
    const one = await ownCheckout({ origin: 'https://example.com/o/origin' })
    await one.put('.harness/project.json', Buffer.from([0xff, 0x7b]))
    await expect(one.resolve()).rejects.toMatchObject({ code: 'UNREADABLE_FILE' })
    const two = await ownCheckout()
    await mkdir(join(two.root, '.harness/project.json'), { recursive: true })
    await expect(two.resolve()).rejects.toMatchObject({ code: 'UNREADABLE_FILE' })
  })

  it.each([
    ['.. from project.json', { vault_project: '..' }, undefined],
    ['. from project.json', { vault_project: '.' }, undefined],
    ['a nested name', { vault_project: 'a/b' }, undefined],
    ['an absolute path', { vault_project: '/etc' }, undefined],
    ['a line break', { vault_project: 'a\nb' }, undefined],
    ['half a surrogate pair', { vault_project: 'a\ud800' }, undefined],
    ['too long a name', { vault_project: 'a'.repeat(201) }, undefined],
    ['.. from a URL', {}, 'https://example.com/o/..'],
    ['a Windows path as a URL', {}, String.raw`C:\x\r.git`],
  ])('%s is refused', async (_, settings, origin) => {
    const { put, resolve } = await ownCheckout(origin === undefined ? {} : { origin })
    await put('.harness/project.json', JSON.stringify(settings))
    await expect(resolve()).rejects.toMatchObject({ code: 'INVALID_SLUG' })
  })

  it('other languages and spaces are fine', () => {
    expect(['ü', '日本', 'a b', 'a.b', '...', '-', 'con'].map(slugObjection)).toEqual(Array.from({ length: 7 }))
  })

  it('comes from git itself, also inside another repository’s hook', async () => {
    const { root, home, world } = await ownCheckout()
    await git('git', ['init', '-q', root])
    await git('git', ['-C', root, 'remote', 'add', 'origin', 'git@github.com:o/from-git.git'])
    const other = join(home, 'other')
    await git('git', ['init', '-q', other])
    await git('git', ['-C', other, 'remote', 'add', 'origin', 'git@github.com:o/other.git'])
    const env = { PATH: process.env.PATH ?? '', GIT_DIR: join(other, '.git') }
    const { originUrl: _, ...asksGit } = world
    const found = await resolveProject({ cwd: root }, { ...asksGit, selection: { ...world.selection, env } })
    expect(found.slug).toBe('from-git')
    expect(found.checkout.remote).toBe('github.com/o/from-git')
    const nowhere = await resolveProject(
      { cwd: filePath(home) },
      { ...asksGit, selection: { ...world.selection, env } },
    )
    expect(nowhere.slug).toBeUndefined()
  })
})
