import { chmod, mkdir, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { findActiveBinding, listPlanFiles, queueStatus, resolveActivePlan, statePath } from '@agentm/routing'
import { planPair } from '../src/pure/plan-name.ts'
import { describe, expect, it } from 'vitest'
import { ownCheckout } from './own-checkout.ts'

const origin = 'https://example.com/o/s.git'

describe('a plan name', () => {
  it.each([
    ['foo', 'PLAN-foo.md', 'progress-foo.md'],
    ['PLAN-foo', 'PLAN-foo.md', 'progress-foo.md'],
    ['PLAN-foo.md', 'PLAN-foo.md', 'progress-foo.md'],
    [' foo\n', 'PLAN-foo.md', 'progress-foo.md'],
    ['', 'PLAN.md', 'progress.md'],
    ['PLAN', 'PLAN.md', 'progress.md'],
    ['PLAN.md', 'PLAN.md', 'progress.md'],
    ['.md', 'PLAN.md', 'progress.md'],
    ['PLAN-', 'PLAN.md', 'progress.md'],
    ['PLAN-PLAN.md', 'PLAN.md', 'progress.md'],
    ['Foo', 'PLAN-Foo.md', 'progress-Foo.md'],
    ['plan-foo', 'PLAN-plan-foo.md', 'progress-plan-foo.md'],
    ['PLAN-PLAN-foo', 'PLAN-PLAN-foo.md', 'progress-PLAN-foo.md'],
    ['foo.md.md', 'PLAN-foo.md.md', 'progress-foo.md.md'],
    ['PLAN.md.md', 'PLAN-PLAN.md.md', 'progress-PLAN.md.md'],
  ])('%j is %s and %s', (raw, plan, progress) => {
    expect(planPair(raw)).toMatchObject({ plan, progress })
  })
})

describe.each([
  ['in the store', true],
  ['with the checkout', false],
])('the active plan, state %s', (_, synced) => {
  async function checkout() {
    const own = await ownCheckout({ vault: synced, origin })
    const directory = synced ? 'projects/s/_harness' : '.harness'
    const plan = (name: string, text: string | Uint8Array) =>
      (synced ? own.putInVault : own.put)(`${directory}/${name}`, text)
    const stateDirectory = join(synced ? own.vault : own.root, directory)
    return { ...own, plan, directory, stateDirectory, key: (name: string) => (synced ? `${directory}/${name}` : name) }
  }

  it('argument given: its pair, without a look whether it is there', async () => {
    const { resolve, put, key } = await checkout()
    await put('.harness/active-plan', 'other\n')
    const active = await resolveActivePlan(await resolve(), { plan: 'PLAN-foo.md' })
    expect(active.locator.key).toBe(key('PLAN-foo.md'))
    expect(active.progress.key).toBe(key('progress-foo.md'))
    expect(await active.backend.exists(active.locator)).toBe(false)
  })

  it('argument empty: the plan without a name, whatever the marker says', async () => {
    const { resolve, put, key } = await checkout()
    await put('.harness/active-plan', 'other\n')
    expect((await resolveActivePlan(await resolve(), { plan: '' })).locator.key).toBe(key('PLAN.md'))
  })

  it.each([['..'], ['.'], ['a/b'], ['a\\b'], ['a\0b'], ['a\nb'], ['PLAN-../x']])(
    'argument unsafe: %j is refused',
    async (plan) => {
      const { resolve } = await checkout()
      await expect(resolveActivePlan(await resolve(), { plan })).rejects.toMatchObject({ code: 'INVALID_PLAN' })
    },
  )

  it('marker absent: the plan without a name', async () => {
    const { resolve, key } = await checkout()
    expect((await resolveActivePlan(await resolve())).locator.key).toBe(key('PLAN.md'))
    expect(await findActiveBinding(await resolve())).toBeUndefined()
  })

  it.each([['foo\n'], [' PLAN-foo '], ['PLAN-foo.md\r\n']])('marker %j: the plan it names', async (marker) => {
    const { resolve, put, plan, key } = await checkout()
    await put('.harness/active-plan', marker)
    await plan('PLAN-foo.md', 'Status: active')
    expect((await resolveActivePlan(await resolve())).locator.key).toBe(key('PLAN-foo.md'))
    expect(await findActiveBinding(await resolve())).toBe(marker.trim())
  })

  it.each([
    ['blank', ' \n'],
    ['empty', ''],
    ['the plan without a name', 'PLAN.md'],
    ['a nested name', 'a/b'],
    ['a climbing name', '..'],
    ['two lines', 'foo\nbar'],
  ])('marker %s: refused', async (__, marker) => {
    const { resolve, put } = await checkout()
    await put('.harness/active-plan', marker)
    await expect(resolveActivePlan(await resolve())).rejects.toMatchObject({ code: 'ACTIVE_PLAN' })
  })

  it('plan absent, empty or unreadable: refused, naming it, and no other is used', async () => {
    const { resolve, put, plan, stateDirectory } = await checkout()
    await put('.harness/active-plan', 'foo\n')
    await plan('PLAN.md', 'Status: active')
    await expect(resolveActivePlan(await resolve())).rejects.toMatchObject({ code: 'ACTIVE_PLAN', plan: 'foo' })
    await expect(resolveActivePlan(await resolve())).rejects.toThrow('PLAN-foo.md is not there')
    await plan('PLAN-foo.md', '')
    await expect(resolveActivePlan(await resolve())).rejects.toThrow('PLAN-foo.md is empty')
    await plan('PLAN-foo.md', Buffer.from([0xff]))
    await expect(resolveActivePlan(await resolve())).rejects.toThrow('PLAN-foo.md cannot be read')
    await rm(join(stateDirectory, 'PLAN-foo.md'))
    await mkdir(join(stateDirectory, 'PLAN-foo.md'))
    await expect(resolveActivePlan(await resolve())).rejects.toThrow('PLAN-foo.md cannot be read')
  })

  it('marker a directory, a link to nowhere or not UTF-8: refused', async () => {
    const one = await checkout()
    await mkdir(join(one.root, '.harness/active-plan'), { recursive: true })
    const two = await checkout()
    await mkdir(join(two.root, '.harness'), { recursive: true })
    await symlink('/nowhere/at/all', join(two.root, '.harness/active-plan'))
    const three = await checkout()
    await three.put('.harness/active-plan', Buffer.from([0x66, 0xff]))
    for (const { resolve } of [one, two, three])
      await expect(resolveActivePlan(await resolve())).rejects.toMatchObject({ code: 'ACTIVE_PLAN' })
  })

  it('its path is the file in the place it is kept', async () => {
    const { resolve, world, stateDirectory, put } = await checkout()
    expect(await statePath(await resolve(), { which: 'plan' }, world)).toBe(join(stateDirectory, 'PLAN.md'))
    expect(await statePath(await resolve(), { which: 'progress', plan: 'foo' }, world)).toBe(
      join(stateDirectory, 'progress-foo.md'),
    )
    await put('.harness/active-plan', 'gone\n')
    await expect(statePath(await resolve(), { which: 'plan' }, world)).rejects.toMatchObject({ code: 'ACTIVE_PLAN' })
    expect(await statePath(await resolve(), { which: 'plan', plan: '' }, world)).toBe(join(stateDirectory, 'PLAN.md'))
    await expect(statePath(await resolve(), { which: 'notes' as 'plan' }, world)).rejects.toThrow(TypeError)
  })

  it('plan files: PLAN.md first, then the named ones sorted', async () => {
    const { resolve, plan, stateDirectory } = await checkout()
    for (const name of [
      'PLAN-b.md',
      'PLAN.md',
      'PLAN-a.md',
      'PLAN-B.md',
      'progress.md',
      'PLAN.archive.1.md',
      'plan-c.md',
      'PLAN-d.txt',
    ])
      await plan(name, 'x')
    await mkdir(join(stateDirectory, 'PLAN-dir.md'))
    expect(await listPlanFiles(await resolve())).toEqual(['PLAN.md', 'PLAN-B.md', 'PLAN-a.md', 'PLAN-b.md'])
  })

  it('conflict copies are no plans; a plan that only looks like one is', async () => {
    const { resolve, plan } = await checkout()
    const copies = [
      'PLAN-a (1).md',
      'PLAN-a 2.md',
      'PLAN-a (conflicted copy 2026-01-02).md',
      "PLAN-a (Ada's conflicted copy 2026-01-02).md",
      'PLAN-a[Conflict].md',
      'PLAN-a [Conflict 1] - Laptop.md',
      'PLAN-a.sync-conflict-20260102-030405-ABCDEFG.md',
    ]
    for (const name of ['PLAN-a.md', ...copies, 'PLAN-x (2).md', 'PLAN-[conflict] talks.md']) await plan(name, 'x')
    expect(await listPlanFiles(await resolve())).toEqual(['PLAN-[conflict] talks.md', 'PLAN-a.md', 'PLAN-x (2).md'])
  })

  it('no directory, no plans', async () => {
    const { resolve, directory } = await checkout()
    expect(await listPlanFiles(await resolve())).toEqual([])
    expect(await queueStatus(await resolve(), directory)).toEqual([`No _harness/ directory to read (${directory}).`])
  })

  it('a directory without plans', async () => {
    const { resolve, plan, directory } = await checkout()
    await plan('notes.md', '')
    expect(await queueStatus(await resolve(), directory)).toEqual([`No plans found in ${directory}`])
  })

  it('the queue: a status and the last note of each plan, and nothing is written', async () => {
    const { resolve, plan, filesBelow, home, directory } = await checkout()
    await plan('PLAN.md', '# Plan\n\n**Status:** In progress **\n')
    await plan('progress.md', 'first\n\nlast note  \n \n')
    await plan('PLAN-long.md', '- Status: no\n> Status: no\n**Status**: no\n')
    await plan('progress-long.md', '😀'.repeat(121))
    await plan('PLAN-lost.md', Buffer.from([0xff]))
    await plan('PLAN-x.md', 'STATUS:   ')
    await plan('progress-x.md', ' \n\n')
    const before = await filesBelow(home)
    expect(await queueStatus(await resolve(), directory)).toEqual([
      `Active plans in ${directory}:`,
      '',
      '  PLAN.md       [In progress]',
      '                last: last note',
      '  PLAN-long.md  [—]',
      `                last: ${'😀'.repeat(119)}…`,
      '  PLAN-lost.md  [(unreadable)]',
      '                last: (no progress file)',
      '  PLAN-x.md     [—]',
      '                last: (empty)',
    ])
    expect(await filesBelow(home)).toEqual(before)
  })
})

describe('with a vault that is gone', () => {
  it('the path degrades to the checkout', async () => {
    const { resolve, world, vault, root } = await ownCheckout({ vault: true, origin })
    await rm(vault, { recursive: true })
    expect(await statePath(await resolve(), { which: 'plan' }, world)).toBe(join(root, '.harness/PLAN.md'))
  })

  it('a marker that cannot be followed says why', async () => {
    const { resolve, put, vault } = await ownCheckout({ vault: true, origin })
    await rm(vault, { recursive: true })
    await put('.harness/active-plan', 'foo\n')
    await expect(resolveActivePlan(await resolve())).rejects.toThrow(/PLAN-foo\.md is not there.*does not exist/)
  })
})

it('a synced store without a directory has its paths with the checkout', async () => {
  const { resolve, world, root, config, putInVault, vault } = await ownCheckout({ vault: true, origin })
  await putInVault('x', '')
  const known = world.registry?.get('vault')
  if (known === undefined) throw new TypeError('the world has a vault')
  world.registry?.register({
    protocol: 'cloud',
    seam: 1,
    settingsKey: 'plugins.cloud',
    open: () => known.open({ root: vault }),
  })
  await config({ 'storage.backend': 'cloud' })
  expect(await statePath(await resolve(), { which: 'plan' }, world)).toBe(join(root, '.harness/PLAN.md'))
})

it('a marker nobody may read is refused', async ({ skip }) => {
  skip(process.getuid?.() === 0, 'root may read everything')
  const { resolve, put, root } = await ownCheckout({ origin })
  await put('.harness/active-plan', 'foo')
  await chmod(join(root, '.harness/active-plan'), 0)
  await expect(resolveActivePlan(await resolve())).rejects.toMatchObject({ code: 'ACTIVE_PLAN' })
})
