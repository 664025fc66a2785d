import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { isOutsideRepositories, originIn, plainOrigin } from '../src/plain-origin.ts'

const address = 'git@github.com:me/acme.git'

async function setup() {
  const home = await mkdtemp(path.join(tmpdir(), 'agentm-origin-'))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  const env = { HOME: home, PATH: process.env['PATH'] ?? '' }
  const repo = path.join(home, 'repo')
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-C', repo, ...args], { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  await mkdir(path.join(repo, 'src'), { recursive: true })
  git('init', '-q')
  git('remote', 'add', 'upstream', 'https://example.com/other.git')
  git('remote', 'add', 'origin', address)
  return { home, repo, env, git }
}

it.runIf(process.platform === 'linux')('says what git says, from anywhere in the checkout', async () => {
  const { repo, env, git } = await setup()
  expect(git('remote', 'get-url', 'origin')).toBe(address)
  expect(await plainOrigin(repo, env)).toBe(address)
  expect(await plainOrigin(path.join(repo, 'src'), env)).toBe(address)
})

it('leaves to git whatever git may read otherwise', async () => {
  const { home, repo, env, git } = await setup()
  expect(await plainOrigin(home, env)).toBeUndefined()
  expect(await plainOrigin(repo, { ...env, GIT_CONFIG_COUNT: '1' })).toBeUndefined()
  await writeFile(path.join(home, '.gitconfig'), '[url "https://github.com/"]\n\tinsteadOf = git@github.com:\n')
  expect(git('remote', 'get-url', 'origin')).toBe('https://github.com/me/acme.git')
  expect(await plainOrigin(repo, env)).toBeUndefined()
  await rm(path.join(home, '.gitconfig'))
  git('-c', 'user.name=a', '-c', 'user.email=a@b.c', 'commit', '-q', '--allow-empty', '-m', 'first')
  git('worktree', 'add', '-q', '-b', 'side', path.join(home, 'side'))
  expect(await plainOrigin(path.join(home, 'side'), env)).toBeUndefined()
})

it('spares git the question where there is no repository, and nowhere else', async () => {
  const { home, repo, git } = await setup()
  expect(await isOutsideRepositories(home)).toBe(true)
  expect(await isOutsideRepositories(path.join(repo, 'src'))).toBe(false)
  await mkdir(path.join(home, 'empty', '.git'), { recursive: true })
  expect(await isOutsideRepositories(path.join(home, 'empty'))).toBe(true)
  git('init', '-q', '--separate-git-dir', path.join(home, 'kept-apart'), path.join(home, 'beside'))
  expect(await isOutsideRepositories(path.join(home, 'beside'))).toBe(false)
  git('clone', '-q', '--bare', repo, path.join(home, 'bare.git'))
  expect(await isOutsideRepositories(path.join(home, 'bare.git', 'refs'))).toBe(false)
  await symlink(path.join(repo, 'src'), path.join(home, 'link'))
  expect(await isOutsideRepositories(path.join(home, 'link'))).toBe(false)
  expect(await isOutsideRepositories(path.join(home, 'gone'))).toBe(false)
})

it.each([
  ['[remote "origin"]\n\turl = a\n\turl = b\n', 'a'],
  ['[remote "Origin"]\n\turl = a\n', undefined],
  ['[remote "origin"]\n\turl = "a b"\n', undefined],
  ['[remote "origin"]\n\turl = a # note\n', undefined],
  ['[remote "origin"] url = a\n', undefined],
  ['[remote.origin]\n\turl = a\n', undefined],
  ['[include]\n\tpath = x\n[remote "origin"]\n\turl = a\n', undefined],
  ['[remote "origin"]\n\tfetch = x\n[core]\n\turl = a\n', undefined],
])('of %j it is %s', (config, url) => {
  expect(originIn(config)).toBe(url)
})
