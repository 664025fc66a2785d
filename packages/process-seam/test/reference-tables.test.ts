import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { offerSaveHere, statePath } from '@agentm/process-seam'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { SeamWorld } from './seam-world.ts'

const worlds: SeamWorld[] = []
beforeEach(() => {
  vi.stubEnv('AGENTM_INSTALL_PREFIX', '')
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await Promise.all(worlds.splice(0).map((world) => world.remove()))
})

/** This process stands in the world's home too, for the functions that are called here. */
async function setup(options: Parameters<typeof SeamWorld.make>[0] = {}) {
  const world = await SeamWorld.make(options)
  worlds.push(world)
  vi.stubEnv('HOME', world.home)
  vi.stubEnv('XDG_CACHE_HOME', path.join(world.home, '.cache'))
  return world
}

const candidate = { kind: 'decision', slug: 'foo', body: 'text' }

describe('the shared context', () => {
  it('cwd: project root; the process cwd when it is not given', async () => {
    const world = await setup()
    expect(await statePath({ cwd: world.repo }, 'plan')).toBe(path.join(world.repo, '.harness', 'PLAN.md'))
    expect(await statePath(null, 'plan')).toBe(path.join(process.cwd(), '.harness', 'PLAN.md'))
    expect(await statePath({}, 'plan')).toBe(path.join(process.cwd(), '.harness', 'PLAN.md'))
  })

  it('phase: passed through by offerSaveHere', async () => {
    const { repo } = await setup()
    expect(await offerSaveHere({ cwd: repo, phase: 'review' }, candidate)).toMatchObject([{ phase: 'review' }])
    expect(await offerSaveHere({ cwd: repo, phase: 'review' }, { ...candidate, phase: 'plan' })).toMatchObject([
      { phase: 'plan' },
    ])
    expect((await offerSaveHere({ cwd: repo }, candidate))[0]).not.toHaveProperty('phase')
  })

  it('plan: a named plan; the active or default one when it is not given', async () => {
    const { repo } = await setup()
    expect(await statePath({ cwd: repo, plan: 'foo' }, 'plan')).toBe(path.join(repo, '.harness', 'PLAN-foo.md'))
    expect(await statePath({ cwd: repo, plan: 'foo' }, 'progress')).toBe(path.join(repo, '.harness', 'progress-foo.md'))
    expect(await statePath({ cwd: repo }, 'progress')).toBe(path.join(repo, '.harness', 'progress.md'))
  })
})

describe('offerSaveHere', () => {
  it('memory present and a project resolves: the candidate plus project and target', async () => {
    const { repo } = await setup()
    expect(await offerSaveHere({ cwd: repo }, candidate)).toEqual([
      { ...candidate, project: 'acme', target: 'projects/acme' },
    ])
  })

  it('in a vault: the same, with the place the project has there', async () => {
    const world = await setup()
    await world.withVault()
    expect(await offerSaveHere({ cwd: world.repo }, candidate)).toMatchObject([{ target: 'projects/acme' }])
  })

  it('memory absent: []', async () => {
    const world = await setup()
    await world.config({ 'storage.backend': 'vault', 'plugins.obsidian-vault.vault_path': '/nowhere' })
    expect(await offerSaveHere({ cwd: world.repo }, candidate)).toEqual([])
  })

  it('no project resolves: []', async () => {
    const { repo } = await setup({ origin: '' })
    expect(await offerSaveHere({ cwd: repo }, candidate)).toEqual([])
  })

  it.each([[undefined], [null], [''], [{}]])('candidate empty (%j): []', async (empty) => {
    const { repo } = await setup()
    expect(await offerSaveHere({ cwd: repo }, empty)).toEqual([])
  })

  it('a candidate that is no object is wrapped as its body', async () => {
    const { repo } = await setup()
    expect(await offerSaveHere({ cwd: repo }, 'remember this')).toEqual([
      { body: 'remember this', project: 'acme', target: 'projects/acme' },
    ])
  })

  it('target is always overwritten, project is kept, and the candidate itself is not touched', async () => {
    const { repo } = await setup()
    const mine = Object.freeze({ ...candidate, project: 'other', target: '/etc/passwd' })
    expect(await offerSaveHere({ cwd: repo }, mine)).toMatchObject([{ project: 'other', target: 'projects/acme' }])
  })
})

describe('statePath', () => {
  it('vault-backed memory present: the path under the vault', async () => {
    const world = await setup()
    const vault = await world.withVault()
    expect(await statePath({ cwd: world.repo }, 'plan')).toBe(
      path.join(vault, 'projects', 'acme', '_harness', 'PLAN.md'),
    )
  })

  it('no vault or memory configured: the repository-local place', async () => {
    const { repo } = await setup()
    expect(await statePath({ cwd: repo }, 'plan')).toBe(path.join(repo, '.harness', 'PLAN.md'))
  })

  it('a vault that is gone: the repository-local place, never nothing', async () => {
    const world = await setup()
    await world.config({ 'storage.backend': 'vault', 'plugins.obsidian-vault.vault_path': '/nowhere' })
    expect(await statePath({ cwd: world.repo }, 'plan')).toBe(path.join(world.repo, '.harness', 'PLAN.md'))
  })

  it('which not "plan" or "progress": a caller bug', async () => {
    const { repo } = await setup()
    await expect(statePath({ cwd: repo }, 'both' as 'plan')).rejects.toThrow(TypeError)
  })

  it.each([
    ['dangling', 'foo\n'],
    ['unsafe', '../foo\n'],
    ['blank', '\n'],
  ])('marker %s: propagates loudly', async (_, marker) => {
    const { repo } = await setup()
    await mkdir(path.join(repo, '.harness'))
    await writeFile(path.join(repo, '.harness', 'active-plan'), marker)
    await expect(statePath({ cwd: repo }, 'plan')).rejects.toMatchObject({ code: 'ACTIVE_PLAN' })
  })

  it('a plan name that is no file name: refused', async () => {
    const { repo } = await setup()
    await expect(statePath({ cwd: repo, plan: '../foo' }, 'plan')).rejects.toMatchObject({ code: 'INVALID_PLAN' })
  })
})

describe('the shim', () => {
  it('state-path: the path on stdout', async () => {
    const world = await setup()
    expect(await world.shim(['state-path', 'plan'])).toEqual({
      code: 0,
      out: `${world.repo}/.harness/PLAN.md\n`,
      err: '',
    })
    expect((await world.shim(['state-path', 'progress', '--plan', 'foo'])).out).toBe(
      `${world.repo}/.harness/progress-foo.md\n`,
    )
    expect((await world.shim(['state-path', 'plan', '--plan', ''])).out).toBe(`${world.repo}/.harness/PLAN.md\n`)
    expect((await world.shim(['state-path', 'plan', '--cwd', world.home])).out).toBe(`${world.home}/.harness/PLAN.md\n`)
  })

  it('offer-save-here: the list as indented JSON, the body from standard input', async () => {
    const world = await setup()
    const args = ['offer-save-here', '--kind', 'decision', '--slug', 'foo', '--body-file', '-', '--confidence', '0.9']
    const { code, out } = await world.shim([...args, '--confidence-reason', 'seen twice', '--phase', 'work'], {
      input: 'text',
    })
    expect(code).toBe(0)
    expect(JSON.parse(out)).toEqual([
      {
        ...candidate,
        confidence: 0.9,
        confidence_reason: 'seen twice',
        phase: 'work',
        project: 'acme',
        target: 'projects/acme',
      },
    ])
    expect(out).toContain('\n  {\n')
  })

  it('exits with 0 where there is nothing to offer', async () => {
    const world = await setup({ origin: '' })
    const ran = await world.shim(['offer-save-here', '--kind', 'decision', '--slug', 'foo'], { input: 'text' })
    expect(ran).toEqual({ code: 0, out: '[]\n', err: '' })
  })

  it.each([
    [['state-path']],
    [['state-path', 'both']],
    [['offer-save-here', '--kind', 'decision']],
    [['offer-save-here', '--kind', 'k', '--slug', 's', '--confidence', 'high']],
    [['state-path', 'plan', '--nope']],
    [['nope']],
    [[]],
  ])('called wrongly, %j: exit code 2 and how it is called', async (args) => {
    const world = await setup()
    const { code, out, err } = await world.shim(args)
    expect(code).toBe(2)
    expect(out + err).toContain('Usage: agentm-process-seam')
  })

  it('a marker that cannot be followed: exit code 1 and why', async () => {
    const world = await setup()
    await mkdir(path.join(world.repo, '.harness'))
    await writeFile(path.join(world.repo, '.harness', 'active-plan'), 'foo\n')
    const { code, err } = await world.shim(['state-path', 'plan'])
    expect(code).toBe(1)
    expect(err).toContain('PLAN-foo.md is not there')
  })
})
