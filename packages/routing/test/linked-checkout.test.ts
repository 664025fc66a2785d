import { mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  listPlanFiles,
  queueStatus,
  readEnablement,
  readStateFile,
  resolveActivePlan,
  statePath,
  writeStateFile,
} from '@agentm/routing'
import { describe, expect, it } from 'vitest'
import { ownCheckout } from './own-checkout.ts'

const secret = 'a private key'
const refusal = { code: 'OUTSIDE_CHECKOUT' }

/** A directory of the user's beside the checkout, with files named like ours. */
async function withSecrets() {
  const own = await ownCheckout()
  const outside = join(own.home, 'private')
  await mkdir(outside)
  for (const name of ['PLAN.md', 'PLAN-x.md', 'progress.md', 'project.json', 'active-plan', '.project-mode'])
    await writeFile(join(outside, name), secret)
  const before = await own.filesBelow(outside)
  return { ...own, outside, unchanged: async () => expect(await own.filesBelow(outside)).toEqual(before) }
}

describe('a checkout whose .harness is a symbolic link', () => {
  it.each([
    ['out of the checkout', async (own: Awaited<ReturnType<typeof withSecrets>>) => own.outside],
    [
      'to another place of the checkout',
      async (own: Awaited<ReturnType<typeof withSecrets>>) => {
        await own.put('elsewhere/PLAN.md', secret)
        return join(own.root, 'elsewhere')
      },
    ],
    [
      'to the checkout itself',
      async (own: Awaited<ReturnType<typeof withSecrets>>) => {
        await own.put('PLAN.md', secret)
        return '.'
      },
    ],
  ])('%s: nothing is read, listed or written through it', async (_, target) => {
    const own = await withSecrets()
    const project = await own.resolve()
    await symlink(await target(own), join(own.root, '.harness'))
    const before = await own.filesBelow(own.root)
    expect(await readStateFile(project, 'PLAN.md')).toMatchObject({ kind: 'unreadable', error: refusal })
    await expect(writeStateFile(project, 'PLAN.md', 'mine')).rejects.toMatchObject(refusal)
    await expect(writeStateFile(project, 'PLAN-new.md', 'mine')).rejects.toMatchObject(refusal)
    await expect(listPlanFiles(project)).rejects.toMatchObject(refusal)
    await expect(queueStatus(project, '.harness')).rejects.toMatchObject(refusal)
    await expect(statePath(project, { which: 'plan', plan: 'x' }, own.world)).rejects.toMatchObject(refusal)
    await own.unchanged()
    expect(await own.filesBelow(own.root)).toEqual(before)
  })

  it('does not say what a marker behind it says', async () => {
    const own = await withSecrets()
    await symlink(own.outside, join(own.root, '.harness'))
    const refused = await own.resolve().catch((error: unknown) => error)
    expect(refused).toMatchObject({ code: 'UNREADABLE_FILE' })
    expect(String(refused)).toContain('links in a checkout are not followed')
    expect(String(refused)).not.toContain(secret)
  })
})

describe('a state file that is a symbolic link', () => {
  it.each([['out of the checkout'], ['to another file of the checkout']])(
    '%s: is neither read nor written',
    async (to) => {
      const own = await withSecrets()
      await own.put('.env', secret)
      await own.put('.harness/progress.md', 'plain')
      const target = to === 'out of the checkout' ? join(own.outside, 'PLAN.md') : '../.env'
      for (const name of ['PLAN.md', 'PLAN-x.md', 'project.json'])
        await symlink(target, join(own.root, '.harness', name))
      await rm(join(own.root, '.harness/project.json'))
      const project = await own.resolve()
      await symlink(target, join(own.root, '.harness/project.json'))
      expect(await readStateFile(project, 'PLAN.md')).toMatchObject({ kind: 'unreadable', error: refusal })
      await expect(readEnablement(project)).rejects.toMatchObject({ code: 'UNREADABLE_FILE' })
      await expect(writeStateFile(project, 'PLAN.md', 'mine')).rejects.toMatchObject(refusal)
      expect(await listPlanFiles(project)).toEqual([])
      expect((await own.filesBelow(own.root))['.env']).toBe(secret)
      // The twin: what is no link is served.
      expect(await readStateFile(project, 'progress.md')).toEqual({ kind: 'text', text: 'plain' })
      await writeStateFile(project, 'progress.md', 'mine')
      await own.unchanged()
    },
  )

  it.each([['active-plan'], ['.project-mode'], ['project.json']])(
    '%s as a link is not read, nor shown',
    async (name) => {
      const own = await withSecrets()
      const project = await own.resolve()
      await mkdir(join(own.root, '.harness'))
      await symlink(join(own.outside, name), join(own.root, '.harness', name))
      const asked = name === 'active-plan' ? resolveActivePlan(project) : own.resolve()
      const refused = await asked.catch((error: unknown) => error)
      expect(refused).toBeInstanceOf(Error)
      expect(String(refused)).toContain('is behind a symbolic link')
      expect(JSON.stringify(refused) + String(refused)).not.toContain(secret)
    },
  )
})

describe('a project of the store whose _harness is a symbolic link', () => {
  it('leads nowhere in statePath when the store says that it leads out', async () => {
    const own = await ownCheckout({ vault: true, origin: 'https://example.com/o/s.git' })
    await writeStateFile(await own.resolve(), 'PLAN.md', 'mine')
    const project = await own.resolve()
    expect(await statePath(project, { which: 'plan' }, own.world)).toBe(join(own.vault, 'projects/s/_harness/PLAN.md'))
  })
})
