import { execFile } from 'node:child_process'
import { chown, mkdir, rename, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findActiveBinding, readStateFile, resolveActivePlan, statePath, writeStateFile } from '@agentm/routing'
import { filePath, type FilePath } from '@agentm/vault-lock'
import { describe, expect, it } from 'vitest'
import { type CheckoutOptions, ownCheckout } from './own-checkout.ts'

const run = promisify(execFile)
const origin = 'https://example.com/o/s.git'

/** A checkout that git made, and a directory three levels below its root. */
async function gitCheckout(options: CheckoutOptions = {}) {
  const own = await ownCheckout(options)
  await run('git', ['init', '-q', own.root])
  const below = await directory(own.root, 'packages/one/src')
  return { ...own, below }
}

async function directory(...parts: string[]): Promise<FilePath> {
  const made = filePath(join(...parts))
  await mkdir(made, { recursive: true })
  return made
}

describe('below the root of a checkout', () => {
  it('the project, its state and its opt-outs are those of the root', async () => {
    const { root, below, put, resolve, world } = await gitCheckout({ vault: true, origin })
    await put('.harness/.project-mode', 'local')
    await put('.harness/PLAN.md', '# One plan\n')
    await put('.agentm-no-register', '')
    const project = await resolve(below)
    expect(project).toMatchObject({ slug: 's', projectRoot: root, stateMode: 'local', registers: false, notices: [] })
    expect(await readStateFile(project, 'PLAN.md')).toEqual({ kind: 'text', text: '# One plan\n' })
    expect(await statePath(project, { which: 'plan' }, world)).toBe(join(root, '.harness/PLAN.md'))
  })

  it('nothing is written beside where one stands, and nothing of a local checkout goes to the vault', async () => {
    const { home, below, put, resolve, filesBelow, vault } = await gitCheckout({ vault: true, origin })
    await put('.harness/.project-mode', 'local')
    await writeStateFile(await resolve(below), 'PLAN.md', '# Plan\n')
    expect(await filesBelow(vault)).toEqual({})
    const written = Object.keys(await filesBelow(join(home, 'src'))).filter((name) => !name.includes('.git/'))
    expect(written).toEqual(['app/.harness/.project-mode', 'app/.harness/PLAN.md'])
  })

  it('the active plan is the one the root is bound to', async () => {
    const { below, put, resolve } = await gitCheckout()
    await put('.harness/active-plan', 'speed\n')
    await put('.harness/PLAN-speed.md', '# Speed\n')
    const project = await resolve(below)
    expect(await findActiveBinding(project)).toBe('speed')
    expect((await resolveActivePlan(project)).pair.plan).toBe('PLAN-speed.md')
  })

  it('a marker nearer by wins over that of the root', async () => {
    const { below, put, resolve } = await gitCheckout()
    await put('.harness/.project-mode', 'local')
    await put('packages/one/.harness/.project-mode', 'backend')
    expect((await resolve(below)).stateMode).toBe('backend')
  })

  it('a part with a project.json of its own is a project, and keeps the privacy of the whole', async () => {
    const { root, below, put, resolve } = await gitCheckout({ origin })
    await put('packages/one/.harness/project.json', '{"vault_project": "one"}')
    await put('.harness/.project-mode', 'local')
    await put('.harness/active-plan', 'of-the-whole')
    const project = await resolve(below)
    expect(project).toMatchObject({ slug: 'one', projectRoot: join(root, 'packages/one'), stateMode: 'local' })
    expect(await findActiveBinding(project)).toBeUndefined()
  })

  it('state that lies below the root is named, because nobody reads it', async () => {
    const { below, put, resolve } = await gitCheckout()
    await put('packages/one/.harness/PLAN.md', '# Written by an older version\n')
    expect((await resolve(below)).notices).toEqual([
      expect.stringContaining(
        'packages/one/.harness is not read: the state of this checkout is in .harness at its root',
      ),
    ])
  })

  it('a link into a checkout leads to that checkout', async () => {
    const { home, root, below, put, resolve } = await gitCheckout()
    await put('.harness/.project-mode', 'local')
    await symlink(below, join(home, 'shortcut'))
    expect(await resolve(filePath(join(home, 'shortcut')))).toMatchObject({ projectRoot: root, stateMode: 'local' })
  })
})

describe('the way up ends', () => {
  it('at the root: nothing above a repository speaks for it', async () => {
    const { home, root, below, resolve, config } = await gitCheckout({ origin })
    await config({})
    await mkdir(join(home, 'src/.harness'))
    await writeFile(join(home, 'src/.harness/.project-mode'), 'local')
    await writeFile(join(home, 'src/.agentm-no-register'), '')
    const project = await resolve(below)
    expect(project).toMatchObject({ projectRoot: root, registers: true })
    expect(project).not.toHaveProperty('stateMode')
  })

  it('at a repository inside another one', async () => {
    const { root, put, resolve } = await gitCheckout()
    const nested = await directory(root, 'vendor/lib')
    await run('git', ['init', '-q', nested])
    await put('.harness/.project-mode', 'local')
    await put('.harness/active-plan', 'outer')
    const project = await resolve(await directory(nested, 'src'))
    expect(project).toMatchObject({ projectRoot: nested, slug: 'lib' })
    expect(project).not.toHaveProperty('stateMode')
    expect(await findActiveBinding(project)).toBeUndefined()
  })

  it('at a submodule, whose .git is a file', async () => {
    const { root, put, resolve } = await gitCheckout()
    const inner = await directory(root, 'modules/inner')
    await writeFile(join(inner, '.git'), 'gitdir: ../../.git/modules/inner\n')
    await put('.harness/.project-mode', 'local')
    expect(await resolve(await directory(inner, 'src'))).toMatchObject({ projectRoot: inner, slug: 'inner' })
  })

  it('outside repositories at the nearest .harness, and never at the home directory', async () => {
    const { home, root, put, resolve } = await ownCheckout()
    await put('.harness/.project-mode', 'local')
    expect(await resolve(await directory(root, 'src'))).toMatchObject({ projectRoot: root, stateMode: 'local' })
    await directory(home, '.harness')
    const elsewhere = await directory(home, 'elsewhere/deep')
    expect((await resolve(elsewhere)).projectRoot).toBe(elsewhere)
  })

  it.skipIf(process.getuid?.() !== 0)('at a directory of somebody else', async () => {
    const { home, resolve } = await ownCheckout()
    const shared = await directory(home, 'shared')
    await mkdir(join(shared, '.harness'))
    await writeFile(join(shared, '.harness/project.json'), '{"vault_project": "theirs"}')
    const mine = await directory(shared, 'mine')
    expect(await resolve(mine)).toMatchObject({ slug: 'theirs' })
    await chown(shared, 12345, 12345)
    expect((await resolve(mine)).slug).toBeUndefined()
  })
})

async function withWorktree(options: CheckoutOptions = {}) {
  const own = await gitCheckout(options)
  await run('git', [
    '-C',
    own.root,
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
  const worktree = filePath(join(own.home, 'src/feature'))
  await run('git', ['-C', own.root, 'worktree', 'add', '-q', '--detach', worktree])
  return { ...own, worktree }
}

describe('a worktree', () => {
  it('is the project of its repository, as private as that one, with a plan of its own', async () => {
    const { root, worktree, put, resolve } = await withWorktree()
    await put('.harness/active-plan', 'main-line')
    expect(await resolve(worktree)).toMatchObject({ slug: 'app', checkout: { root }, projectRoot: worktree })
    await put('.harness/project.json', '{"vault_project": "engine"}')
    await put('.harness/.project-mode', 'local')
    const project = await resolve(worktree)
    expect(project).toMatchObject({ slug: 'engine', stateMode: 'local', projectRoot: worktree })
    expect(await findActiveBinding(project)).toBeUndefined()
  })

  it('that the repository does not know is a project of its own', async () => {
    const { home, worktree, put, resolve } = await withWorktree()
    await put('.harness/project.json', '{"vault_project": "engine"}')
    const copied = filePath(join(home, 'src/copied'))
    await rename(worktree, copied)
    expect(await resolve(copied)).toMatchObject({ slug: 'copied', checkout: { root: copied } })
  })
})
