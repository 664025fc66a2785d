import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { VaultBackend } from '@agentm/backend-vault'
import { filePath } from '@agentm/vault-lock'
import { expect, it, onTestFinished } from 'vitest'

it('says of a note that is only in the cloud that it is there, and why nothing more can be said', async () => {
  const root = await mkdtemp(path.join(tmpdir(), 'agentm-vault-'))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  await mkdir(path.join(root, 'personal'))
  await writeFile(path.join(root, 'personal', 'here.md'), 'here')
  await writeFile(path.join(root, 'personal', '.away.md.icloud'), 'bplist00')
  const backend = new VaultBackend(filePath(root))
  const { children: listed } = await backend.listInfo(backend.resolve('personal'))
  expect(listed.map((child) => [child.locator.key, 'refusal' in child ? child.refusal.code : child.size])).toEqual([
    ['personal/away.md', 'ONLINE_ONLY'],
    ['personal/here.md', 4],
  ])
})

it('keeps a note whose name leaves no room for that of a stand-in', async () => {
  const root = await mkdtemp(path.join(tmpdir(), 'agentm-vault-'))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  const backend = new VaultBackend(filePath(root))
  for (const length of [245, 246, 250, 255]) {
    const at = backend.resolve('personal', `${'n'.repeat(length - 3)}.md`)
    expect(await backend.exists(at)).toBe(false)
    await backend.write(at, 'x', { ifHash: null })
    expect(await backend.update(at, (text) => `${text}, y`)).toBe('x, y')
    await backend.remove(at)
  }
  const at = backend.resolve('personal', `${'n'.repeat(256)}.md`)
  await expect(backend.write(at, 'x')).rejects.toMatchObject({ code: 'INVALID_LOCATOR', key: at.key })
  await expect(backend.read(at)).rejects.toMatchObject({ code: 'INVALID_LOCATOR', key: at.key })
})

it('refuses a key that a listing would show as that of another note', async () => {
  const root = await mkdtemp(path.join(tmpdir(), 'agentm-vault-'))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  const backend = new VaultBackend(filePath(root))
  for (const name of ['.a.md.icloud', 'a.md.nextcloud', 'a.md.owncloud']) {
    const refusal = { code: 'INVALID_LOCATOR', key: `personal/${name}` }
    await expect(backend.write(backend.resolve('personal', name), 'x')).rejects.toMatchObject(refusal)
    await expect(backend.read(backend.resolve('personal', name))).rejects.toMatchObject(refusal)
  }
  expect(await backend.list(backend.resolve('personal'))).toEqual([])
})
