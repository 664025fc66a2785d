import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { offerSaveHere, recallHere, statePath } from '@agentm/process-seam'
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

/** A vault with one note for each thing a phase may ask for. */
async function withNotes() {
  const world = await setup()
  await world.withVault()
  const home = 'vault/projects/acme'
  await world.note('vault/personal/_always-load/style.md', { kind: 'preference', text: 'Answer in short sentences.' })
  await world.note(`${home}/_index.md`, { kind: 'index', text: 'Acme sells anvils.' })
  await world.note(`${home}/decisions/locks.md`, { kind: 'decision', text: 'Lock, then write.' })
  await world.note(`${home}/open-questions/index.md`, { kind: 'open-question', text: 'Which index?' })
  await world.note(`${home}/known-issues/mtime.md`, { kind: 'known-issue', text: 'Drive rewrites mtimes.' })
  await world.note(`${home}/wiki-style/voice.md`, { kind: 'wiki-style', text: 'Say what the reader does next.' })
  await world.note(`${home}/fact/port.md`, { kind: 'fact', text: 'Staging listens on port 5433.' })
  await world.note('vault/projects/other/decisions/secret.md', { kind: 'decision', text: 'Other project only.' })
  return world
}

const said = {
  always: 'Answer in short sentences.',
  index: 'Acme sells anvils.',
  decisions: 'Lock, then write.',
  questions: 'Which index?',
  issues: 'Drive rewrites mtimes.',
  style: 'Say what the reader does next.',
}

describe('recallHere', () => {
  it.each([
    ['setup', ['index']],
    ['plan', ['index', 'decisions', 'questions']],
    ['work', ['decisions', 'issues']],
    ['review', []],
    ['release', ['decisions']],
    ['bugfix', ['issues']],
    ['documenter', ['index', 'decisions', 'style']],
  ] as const)('phase %s: what is always loaded, then %j', async (phase, asked) => {
    const { repo } = await withNotes()
    const text = await recallHere({ cwd: repo, phase })
    const expected = Object.entries(said).filter(
      ([name]) => name === 'always' || (asked as readonly string[]).includes(name),
    )
    const present = Object.entries(said).filter(([, line]) => text.includes(line))
    expect(present).toEqual(expected)
    expect(text).toContain(`phase: ${phase}, project: acme`)
  })

  it.each([['unknown'], [''], [undefined]])('phase %j, unknown or absent: work', async (phase) => {
    const { repo } = await withNotes()
    const text = await recallHere({ cwd: repo, ...(phase === undefined ? {} : { phase }) })
    expect(text).toBe(await recallHere({ cwd: repo, phase: 'work' }))
    expect(text).toContain('phase: work')
  })

  it('limit: the budget in tokens; the phase’s default without it', async () => {
    const { repo } = await withNotes()
    expect(await recallHere({ cwd: repo })).toContain('(budget: ~6000 tokens')
    expect(await recallHere({ cwd: repo, phase: 'documenter' })).toContain('(budget: ~10000 tokens')
    const short = await recallHere({ cwd: repo }, { limit: 60 })
    expect(short).toContain('(budget: ~60 tokens')
    expect(short.length).toBeLessThanOrEqual(60 * 4 + 8)
  })

  it.each([
    ['setup', 4000],
    ['plan', 6000],
    ['work', 6000],
    ['review', 4000],
    ['release', 6000],
    ['bugfix', 6000],
    ['documenter', 10_000],
  ] as const)('HARNESS_RECALL_BUDGET of phase %s: instead of its %d; the argument wins', async (phase, usual) => {
    const { repo } = await withNotes()
    const budget = async (limit?: number) =>
      /budget: ~(\d+) tokens/.exec(await recallHere({ cwd: repo, phase }, limit === undefined ? {} : { limit }))?.[1]
    expect(await budget()).toBe(String(usual))
    vi.stubEnv(`HARNESS_RECALL_BUDGET_${phase.toUpperCase()}`, ' 777 ')
    expect(await budget()).toBe('777')
    expect(await budget(555)).toBe('555')
    for (const bad of ['0', '-5', '2.5', 'many', '']) {
      vi.stubEnv(`HARNESS_RECALL_BUDGET_${phase.toUpperCase()}`, bad)
      expect(await budget()).toBe(String(usual))
    }
  })

  it('a budget nobody can use is named by the shim, which answers all the same', async () => {
    const world = await withNotes()
    world.more = { HARNESS_RECALL_BUDGET_PLAN: 'many', HARNESS_RECALL_BUDGET_WORK: '-1' }
    const { code, out, err } = await world.shim(['recall-here', '--phase', 'plan'])
    expect(code).toBe(0)
    expect(out).toContain('(budget: ~6000 tokens')
    expect(err).toBe(
      'agentm-process-seam: HARNESS_RECALL_BUDGET_PLAN is "many", which is not a number of tokens above 0. It is not used.\n',
    )
    expect((await world.shim(['recall-here', '--phase', 'plan', '--limit', '500'])).err).toBe('')
  })

  it('query: what answers it is there too', async () => {
    const { repo } = await withNotes()
    expect(await recallHere({ cwd: repo })).not.toContain('5433')
    expect(await recallHere({ cwd: repo }, { query: 'staging port' })).toContain('Staging listens on port 5433.')
  })

  it('another project’s notes are never in it', async () => {
    const { repo } = await withNotes()
    expect(await recallHere({ cwd: repo }, { query: 'other project only' })).not.toContain('Other project only.')
  })

  it('memory absent: the empty string; with one note kept, it speaks', async () => {
    const world = await setup()
    expect(await recallHere({ cwd: world.repo })).toBe('')
    await world.withVault()
    expect(await recallHere({ cwd: world.repo })).toBe('')
    await world.note('vault/projects/acme/decisions/locks.md', { kind: 'decision', text: said.decisions })
    expect(await recallHere({ cwd: world.repo })).toContain(said.decisions)
  })

  it.each([
    ['a vault that is gone', { 'storage.backend': 'vault', 'plugins.obsidian-vault.vault_path': '/nowhere' }],
    ['a backend nobody installed', { 'storage.backend': 'nonesuch' }],
    ['a setting that cannot be meant', { 'storage.backend': 7 }],
  ])('%s: the empty string, never an error', async (_, config) => {
    const world = await setup()
    await world.config(config)
    expect(await recallHere({ cwd: world.repo })).toBe('')
  })

  it('the shim prints it, and nothing where there is nothing', async () => {
    const world = await withNotes()
    const { code, out, err } = await world.shim(['recall-here', '--phase', 'plan', '--limit', '3000'])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toContain(said.questions)
    expect(out.endsWith('\n') && !out.endsWith('\n\n')).toBe(true)
    const empty = await setup()
    expect(await empty.shim(['recall-here'])).toEqual({ code: 0, out: '', err: '' })
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
