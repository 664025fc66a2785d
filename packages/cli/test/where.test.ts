import { existsSync } from 'node:fs'
import { mkdir, readdir, rename } from 'node:fs/promises'
import path from 'node:path'
import { dataNotice } from '@agentm/memory/shown'
import { describe, expect, it } from 'vitest'
import { CliWorld } from './cli-world.ts'

const setup = () => CliWorld.forThisTest()

async function withVault() {
  const world = await setup()
  await mkdir(path.join(world.home, 'vault'))
  await world.agentm(['init', '--vault', path.join(world.home, 'vault')])
  return world
}

describe('agentm init', () => {
  it('keeps memory on this device unless told otherwise, and doctor agrees', async () => {
    const world = await setup()
    expect(await world.agentm(['init', '--yes'])).toMatchObject({ code: 0, err: '' })
    expect(JSON.parse(await world.read('.agentm/memory/_meta/agentm-store.json'))).toEqual({ id: expect.any(String) })
    const { code, out } = await world.agentm(['doctor'])
    expect(code).toBe(0)
    expect(out).toContain("storage [OK] selected backend 'device-local' (configured (storage.backend))")
  })

  it('asks nothing where nobody can answer', async () => {
    const world = await setup()
    expect((await world.agentm(['init'])).out).toContain('Notes are stored with the backend device-local')
  })

  it('takes a vault, and the store is the same one ever after', async () => {
    const world = await withVault()
    const first = await world.json(['init'])
    expect(first).toMatchObject({ protocol: 'vault', kept: ['plugins.obsidian-vault.vault_path', 'storage.backend'] })
    expect(await world.json(['init', '--yes'])).toMatchObject({ protocol: 'vault', storeId: first['storeId'] })
  })

  it('takes a vault by a path from where it is called, and recalls what its owner keeps there', async () => {
    const world = await setup()
    const diary = 'The zirconium crucible is in the shed.'
    await world.file('vault/My Diary/day.md', `---\nstatus: archived\n---\n\n${diary}\n`)
    await world.file('vault/projects/kitchen/plan.md', `${diary} It belongs to the kitchen.\n`)
    await world.file('vault/beliefs/on-order.md', `${diary} I believe.\n`)
    expect(await world.agentm(['init', '--vault', '../vault'])).toMatchObject({ code: 0, err: '' })
    expect((await world.agentm(['config', 'get', 'plugins.obsidian-vault.vault_path'])).out.trim()).toBe(
      path.join(world.home, 'vault'),
    )
    const keys = ['My Diary/day.md', 'beliefs/on-order.md', 'projects/kitchen/plan.md']
    const recalled = async () => {
      const { results } = (await world.json(['recall', 'zirconium', 'crucible'])) as unknown as {
        readonly results: readonly { readonly key: string }[]
      }
      return results.map(({ key }) => key).toSorted()
    }
    expect(await recalled()).toEqual(keys)
    // As soon as it is a project of ours, its notes are its own.
    await world.file('kitchen/oven.txt', 'gas')
    await world.agentm(['repos', 'register', '--root', path.join(world.home, 'kitchen'), '--slug', 'kitchen'])
    expect(await recalled()).toEqual(keys.slice(0, 2))
    expect(await recalled()).toEqual(keys.slice(0, 2))
  })

  it('does not turn one choice into another', async () => {
    const world = await setup()
    await world.agentm(['init', '--yes'])
    await mkdir(path.join(world.home, 'vault'))
    const { code, err } = await world.agentm(['init', '--vault', path.join(world.home, 'vault')])
    expect(code).toBe(2)
    expect(err).toContain('storage.backend is already set to "device-local"')
  })

  it('refuses another vault than the configured one, and says how to change it', async () => {
    const world = await withVault()
    await mkdir(path.join(world.home, 'other'))
    const before = await world.read('.claude/.agentm-config.json')
    const { code, err } = await world.agentm(['init', '--vault', '../other'])
    expect(code).toBe(2)
    expect(err).toContain(`notes are already stored in the vault ${path.join(world.home, 'vault')}`)
    const other = path.join(world.home, 'other')
    expect(err).toContain(`agentm config set plugins.obsidian-vault.vault_path ${other} && agentm config unset`)
    expect(await world.read('.claude/.agentm-config.json')).toBe(before)
    // The same one by another name is no other one, and the advice works.
    expect(await world.agentm(['init', '--vault', '../vault/.'])).toMatchObject({ code: 0 })
    await world.agentm(['config', 'set', 'plugins.obsidian-vault.vault_path', other])
    await world.agentm(['config', 'unset', 'plugins.obsidian-vault.store_id'])
    expect(await world.agentm(['init', '--vault', other])).toMatchObject({ code: 0 })
    world.variables['MEMORY_VAULT_PATH'] = path.join(world.home, 'vault')
    expect((await world.agentm(['init', '--vault', other])).err).toContain(
      'unset the environment variable MEMORY_VAULT_PATH',
    )
  })

  it('leaves a vault that the environment or an older installation names the chosen one', async () => {
    const world = await setup()
    await mkdir(path.join(world.home, 'vault'))
    world.variables['MEMORY_VAULT_PATH'] = path.join(world.home, 'vault')
    expect(await world.json(['init', '--yes'])).toMatchObject({ protocol: 'vault', kept: ['MEMORY_VAULT_PATH'] })
    delete world.variables['MEMORY_VAULT_PATH']
    await world.file('.claude/.agentm-config.json', JSON.stringify({ vault_path: path.join(world.home, 'vault') }))
    expect(await world.json(['init', '--yes'])).toMatchObject({ protocol: 'vault', kept: ['vault_path'] })
  })

  it('refuses to keep state locally where the configuration says otherwise', async () => {
    const world = await setup()
    await world.agentm(['config', 'set', 'state_mode', 'backend'])
    const { code, err } = await world.agentm(['init', '--yes', '--local-state'])
    expect(code).toBe(2)
    expect(err).toContain('state_mode is already set to "backend"')
  })

  it('refuses a vault that is not there, and configures nothing', async () => {
    const world = await setup()
    const { code, err } = await world.agentm(['init', '--vault', path.join(world.home, 'nowhere')])
    expect(code).toBe(1)
    expect(err).toContain('is not a directory')
    expect(await world.agentm(['config', 'get', 'storage.backend'])).toMatchObject({ code: 1, out: '' })
  })
})

describe('a vault that is away', () => {
  it('refuses state writes with nothing in .harness, and doctor says the same words and exits with 1', async () => {
    const world = await withVault()
    await rename(path.join(world.home, 'vault'), path.join(world.home, 'away'))
    const written = await world.agentm(['state', 'write', 'PLAN.md'], '# Plan\n')
    expect(written.code).toBe(1)
    expect(await readdir(world.repo)).toEqual(['.git'])
    const doctor = await world.agentm(['doctor'])
    expect(doctor.code).toBe(1)
    const { rows } = (await world.json(['doctor'])) as { rows: ReadonlyArray<{ name: string; text: string }> }
    const { error } = (await world.json(['state', 'write', 'PLAN.md'])) as { error: { message: string } }
    expect(rows[0]?.text).toBe(error.message)
    expect(doctor.out.split('\n')[0]).toBe(`storage [FAIL] ${error.message}`)
  })

  it('is not confused with an empty directory in its place', async () => {
    const world = await withVault()
    await rename(path.join(world.home, 'vault'), path.join(world.home, 'away'))
    await mkdir(path.join(world.home, 'vault'))
    expect(await world.agentm(['doctor'])).toMatchObject({
      code: 1,
      out: expect.stringContaining('Is the drive mounted?'),
    })
    expect((await world.agentm(['state', 'write', 'PLAN.md'], 'x')).code).toBe(1)
    expect(await readdir(path.join(world.home, 'vault'))).toEqual([])
  })

  it('does not stop a checkout that keeps its state to itself', async () => {
    const world = await withVault()
    await rename(path.join(world.home, 'vault'), path.join(world.home, 'away'))
    await world.file('repo/.harness/.project-mode', 'local\n')
    expect(await world.agentm(['state', 'write', 'PLAN.md'], '# Plan\n')).toMatchObject({ code: 0 })
    expect(await world.read('repo/.harness/PLAN.md')).toBe('# Plan\n')
  })

  it('is read as absent with a note, and works again once it is back', async () => {
    const world = await withVault()
    await world.agentm(['state', 'write', 'PLAN.md'], '# Plan\r\nno final newline')
    await rename(path.join(world.home, 'vault'), path.join(world.home, 'away'))
    const away = await world.agentm(['state', 'read', 'PLAN.md'])
    expect(away).toMatchObject({ code: 1, out: '', err: expect.stringContaining('does not exist') })
    await rename(path.join(world.home, 'away'), path.join(world.home, 'vault'))
    expect((await world.agentm(['state', 'read', 'PLAN.md'])).out).toBe('# Plan\r\nno final newline')
  })
})

describe('agentm state', () => {
  it('goes to the vault where one is chosen, and to the checkout where not', async () => {
    const vault = await withVault()
    await vault.agentm(['state', 'write', 'PLAN.md'], 'x')
    expect(await vault.read('vault/projects/acme/_harness/PLAN.md')).toBe('x')
    const local = await setup()
    await local.agentm(['state', 'write', 'PLAN.md'], 'x')
    expect(await local.read('repo/.harness/PLAN.md')).toBe('x')
    expect((await local.agentm(['state', 'path', 'plan'])).out).toBe(`${local.repo}/.harness/PLAN.md\n`)
  })

  it.each([['../x'], ['/etc/passwd/..'], ['']])('refuses %j, which is no file of the project', async (name) => {
    const world = await setup()
    expect((await world.agentm(['state', 'write', name], 'x')).code).toBe(1)
    expect(await readdir(world.repo)).toEqual(['.git'])
  })

  it('refuses another repository under the same project name until it is registered on purpose', async () => {
    const world = await withVault()
    await world.agentm(['state', 'write', 'PLAN.md'], 'mine')
    const other = await setup()
    await other.agentm(['config', 'set', 'vault_path', path.join(world.home, 'vault')])
    await other.agentm(['config', 'set', 'storage.backend', 'vault'])
    await other.file('repo/.harness/project.json', '{ "vault_project": "acme" }')
    await other.file('repo/.git/config', '[remote "origin"]\n\turl = https://github.com/someone/else.git\n')
    const refused = await other.agentm(['state', 'write', 'PLAN.md'], 'theirs')
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('acme') })
    expect((await other.agentm(['state', 'read', 'PLAN.md'])).out).toBe('')
    await other.agentm(['repos', 'register', '--slug', 'acme'])
    expect(await other.agentm(['state', 'write', 'PLAN.md'], 'both')).toMatchObject({ code: 0 })
    expect(await world.read('vault/projects/acme/_harness/PLAN.md')).toBe('both')
  })
})

/** As hosts call it, but with all the time a busy machine may need. */
const sessionStart = ['hook', 'session-start', '--within', '60000']

describe('agentm hook session-start', () => {
  it('says in one line that there was no time, rather than late', async () => {
    const world = await withVault()
    await world.agentm(['state', 'write', 'PLAN.md'], 'x')
    const late = await world.agentm(['hook', 'session-start', '--within', '1'], JSON.stringify({ cwd: world.repo }))
    expect(late).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^agentm: memory was not searched, because it took longer than 1 ms\..*\n$/),
    })
    expect(await world.agentm(['hook', 'session-start', '--within', 'soon'])).toMatchObject({ code: 2 })
  })

  it('is four lines under the one that says what they are, with the paths the vault gives', async () => {
    const world = await withVault()
    await world.agentm(['state', 'write', 'PLAN.md'], 'x')
    await world.agentm(['state', 'write', 'progress.md'], 'x')
    const home = path.join(world.home, 'vault/projects/acme/_harness')
    const { code, out } = await world.agentm(sessionStart, JSON.stringify({ cwd: world.repo }))
    expect(code).toBe(0)
    expect(out).toBe(
      [
        dataNotice,
        '[agentm] Project state for this repo lives in .harness/:',
        `  PLAN.md:     ${home}/PLAN.md`,
        `  progress.md: ${home}/progress.md`,
        'Read PLAN.md before answering plan-status questions or running /work, /review, /release.',
        '',
      ].join('\n'),
    )
  })

  it('lists named plans, and the one this checkout is bound to', async () => {
    const world = await setup()
    await world.file('repo/.harness/PLAN.md', 'x')
    await world.file('repo/.harness/PLAN-search.md', 'x')
    await world.file('repo/.harness/PLAN-myPLAN.md', 'x')
    await world.file('repo/.harness/active-plan', 'search\n')
    const { out } = await world.agentm(sessionStart, JSON.stringify({ cwd: world.repo }))
    expect(out).toBe(
      [
        dataNotice,
        '[agentm] Project state for this repo lives in .harness/:',
        'Named-plan mode - this repo has more than one active plan:',
        `  PLAN.md                ${world.repo}/.harness/PLAN.md`,
        `  PLAN-myPLAN.md         ${world.repo}/.harness/PLAN-myPLAN.md`,
        `  PLAN-search.md         ${world.repo}/.harness/PLAN-search.md`,
        `Active plan (.harness/active-plan -> search): ${world.repo}/.harness/PLAN-search.md`,
        'Read the plan you own before answering plan-status questions or running /work, /review, /release.',
        '',
      ].join('\n'),
    )
  })

  it('shows a binding to a plan that is not there', async () => {
    const world = await setup()
    await world.file('repo/.harness/PLAN-other.md', 'x')
    await world.file('repo/.harness/active-plan', 'search\n')
    const { out } = await world.agentm(sessionStart, JSON.stringify({ cwd: world.repo }))
    expect(out).toContain('(.harness/active-plan -> search): DANGLING - PLAN-search.md not found; run doctor.')
  })

  it('nudges once where a repository is not registered, and is silent elsewhere', async () => {
    const world = await setup()
    const nudged = await world.agentm(sessionStart, JSON.stringify({ cwd: world.repo }))
    expect(nudged).toMatchObject({ code: 0, out: expect.stringContaining('acme is not registered') })
    await world.agentm(['repos', 'register'])
    expect(await world.agentm(sessionStart, JSON.stringify({ cwd: world.repo }))).toMatchObject({
      out: '',
    })
    expect(await world.agentm(sessionStart, JSON.stringify({ cwd: world.home }))).toMatchObject({
      code: 0,
      out: '',
    })
  })

  it.each([['not json'], ['[]'], ['']])('survives %j as its input', async (input) => {
    const world = await setup()
    expect((await world.agentm(sessionStart, input)).code).toBe(0)
  })
})

describe('agentm itself', () => {
  it.each([
    [['nope']],
    [['config']],
    [['config', 'get']],
    [['doctor', 'extra']],
    [['doctor', '--nope']],
    [['doctor', '--requires', 'x']],
  ])('calls %j wrong usage, with exit code 2', async (args) => {
    const world = await setup()
    expect((await world.agentm(args)).code).toBe(2)
  })

  it('prints errors for programs too', async () => {
    const world = await setup()
    await world.file('.claude/.agentm-config.json', '{ "storage.backend": ')
    expect(await world.json(['state', 'write', 'PLAN.md'])).toMatchObject({
      error: {
        code: 'STORAGE_SELECTION',
        message: expect.stringContaining('.agentm-config.json:1:'),
        next: 'agentm doctor',
      },
    })
  })

  it('lists conflict copies and leaves them alone', async () => {
    const world = await withVault()
    await world.file('vault/notes/a.md', 'x')
    await world.file('vault/notes/a (1).md', 'y')
    expect(await world.json(['conflicts'])).toEqual({
      pairs: [{ copy: 'notes/a (1).md', of: 'notes/a.md', family: 'numbered' }],
    })
    expect(await world.read('vault/notes/a (1).md')).toBe('y')
  })

  it('does not write into a person’s notes where nobody can say yes', async () => {
    const world = await setup()
    await world.file('vault/Agent/keep.md', 'x')
    await world.agentm(['init', '--vault', path.join(world.home, 'vault')])
    await world.agentm(['config', 'set', 'plugins.obsidian-vault.memory_root', 'Agent'])
    await world.agentm(['config', 'unset', 'plugins.obsidian-vault.store_id'])
    await world.agentm(['config', 'set', 'plugins.obsidian-vault.personal_root', path.join(world.home, 'vault')])
    const source = await world.file('text.md', 'hello')
    expect(await world.agentm(['personal', 'write', 'Diary.md', source], 'yes\n')).toMatchObject({
      code: 1,
      err: expect.stringContaining('nobody at a terminal confirmed it'),
    })
    expect(await readdir(path.join(world.home, 'vault'))).not.toContain('Diary.md')
  })

  // `script` gives the command a terminal of its own, as a person's would be.
  it.runIf(existsSync('/usr/bin/script'))(
    'asks a person at a terminal, shows both texts, and takes only the number it shows',
    async () => {
      const world = await setup()
      await world.file('vault/Diary.md', 'dear diary')
      await mkdir(path.join(world.home, 'vault/Agent'))
      await world.agentm(['init', '--vault', path.join(world.home, 'vault')])
      await world.agentm(['config', 'unset', 'plugins.obsidian-vault.store_id'])
      await world.agentm(['config', 'set', 'plugins.obsidian-vault.memory_root', 'Agent'])
      await world.agentm(['config', 'set', 'plugins.obsidian-vault.personal_root', path.join(world.home, 'vault')])
      const source = await world.file('text.md', 'hello from the agent')
      const asked = await world.atTerminal(['personal', 'write', 'Diary.md', source], 'perhaps')
      expect(asked).toContain('dear diary')
      expect(asked).toContain('hello from the agent')
      expect(asked).toContain('you did not type the number')
      // Ctrl-D, and answers that were there before the question.
      const ctrlD = await world.atTerminal(['personal', 'write', 'Diary.md', source], '\u0004')
      expect(ctrlD).toContain('you did not type the number')
      const piped = await world.pipedIntoTerminal(['personal', 'write', 'Diary.md', source], 'yes\n'.repeat(500))
      expect(piped).toContain('you did not type the number')
      expect(await world.read('vault/Diary.md')).toBe('dear diary')
      await world.atTerminal(['personal', 'write', 'Diary.md', source], 'number')
      expect(await world.read('vault/Diary.md')).toBe('hello from the agent')
    },
  )
})
