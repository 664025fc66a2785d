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
  const listed = await backend.listInfo(backend.resolve('personal'))
  expect(listed.map((child) => [child.locator.key, 'refusal' in child ? child.refusal.code : child.size])).toEqual([
    ['personal/away.md', 'ONLINE_ONLY'],
    ['personal/here.md', 4],
  ])
})
