import { mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { filePath } from '@agentm/vault-lock'
import { expect, it, onTestFinished } from 'vitest'
import { readTextFile } from '../src/text-file.ts'

async function place(): Promise<string> {
  const directory = await realpath(await mkdtemp(path.join(tmpdir(), 'agentm-text-')))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  return path.join(directory, 'config.json')
}

it('takes a file that appears while it looks for what it is, and for no broken link', async () => {
  const file = await place()
  const kinds = new Set<string>()
  const over = new AbortController()
  const flickering = (async () => {
    while (!over.signal.aborted) {
      await writeFile(file, '{}')
      await rm(file)
    }
  })()
  for (let i = 0; i < 2000; i++) kinds.add((await readTextFile(filePath(file))).kind)
  over.abort()
  await flickering
  expect(kinds).not.toContain('unreadable')
})

it('names a link to something that is not there', async () => {
  const file = await place()
  await symlink(path.join(file, '..', 'gone.json'), file)
  expect(await readTextFile(filePath(file))).toMatchObject({
    kind: 'unreadable',
    why: expect.stringContaining('a link'),
  })
})
