import { mkdirSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, parse } from 'node:path'
import { atomicWrite, filePath, lockDirectory } from '@agentm/vault-lock'
import { describe, expect, it, onTestFinished } from 'vitest'

describe.runIf(process.platform === 'win32')('on Windows', () => {
  it('takes one lock for a root, whatever the case of its drive letter and its names', async () => {
    const { home, lockRoot } = await setup()
    const root = join(home, 'Vault')
    mkdirSync(root)
    const wanted = await lockDirectory(filePath(root), lockRoot)
    for (const spelling of spellings(root)) expect(await lockDirectory(filePath(spelling), lockRoot)).toBe(wanted)
  })

  it('writes below a path that is longer than 260 characters', async () => {
    const { home } = await setup()
    const folder = join(home, ...Array.from({ length: 6 }, (_, i) => `${i}`.repeat(80)))
    mkdirSync(folder, { recursive: true })
    await atomicWrite(filePath(join(folder, 'note.md')), 'deep')
    expect(await readFile(join(folder, 'note.md'), 'utf8')).toBe('deep')
  })
})

async function setup() {
  const home = await mkdtemp(join(tmpdir(), 'agentm-windows-'))
  onTestFinished(() => rm(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }))
  return { home, lockRoot: filePath(join(home, 'locks')) }
}

function spellings(root: string): readonly string[] {
  const drive = parse(root).root
  const rest = root.slice(drive.length)
  return [drive.toLowerCase() + rest, drive + rest.toUpperCase(), root.toLowerCase(), root.replaceAll('\\', '/')]
}
