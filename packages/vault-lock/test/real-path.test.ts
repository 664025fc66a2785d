import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { filePath, lockDirectory, nodeFileSystem, realPath } from '@agentm/vault-lock'
import { expect, it } from 'vitest'
import { setup } from './world.ts'

it.each([
  ['a directory', '/real', '/real'],
  ['doubled and trailing slashes', '//real//sub/', '/real/sub'],
  ['a link', '/link/sub', '/real/sub'],
  ['a link to a link', '/link2', '/real'],
  ['an absolute link', '/absolute/x', '/real/x'],
  ['a name that is absent', '/none/x', '/none/x'],
  ['a name below a file', '/file/x', '/file/x'],
  ['a dangling link', '/dangling/x', '/gone/away/x'],
  ['.. after a link', '/deep/..', '/real'],
  ['.. after a name that is absent', '/none/../real', '/real'],
  ['.. above everything', '/../../../../../../../../../../..', undefined],
  ['a circle', '/loop/x', '/loop/x'],
  ['.. after a circle', '/loop/../real', '/real'],
  ['a link into a circle', '/tooloop/../link', '/link'],
  ['the same link twice', '/link/../link/sub', '/real/sub'],
])('resolves %s', async (_what, path, expected) => {
  const { home } = await setup()
  const link = (to: string, name: string) => symlinkSync(to, join(home, name))
  mkdirSync(join(home, 'real', 'sub', 'deep'), { recursive: true })
  writeFileSync(join(home, 'file'), '')
  link('real', 'link')
  link('link', 'link2')
  link(join(home, 'real'), 'absolute')
  link('gone/away', 'dangling')
  link('real/sub', 'deep')
  link('loop2', 'loop')
  link('loop', 'loop2')
  link('loop', 'tooloop')
  expect(await realPath(home + path, nodeFileSystem)).toBe(expected === undefined ? '/' : home + expected)
})

it('is the lock of the Python implementation', async () => {
  const saved = process.env['XDG_CACHE_HOME']
  try {
    process.env['XDG_CACHE_HOME'] = '/cache'
    // printf /nowhere/vault | sha256sum
    expect(await lockDirectory(filePath('/nowhere/vault'))).toBe(
      '/cache/agentm/locks/2445ea79d028306ed3975180e505a4e6d613249d1f8f709cc0072bcaa9bb462f/lock',
    )
    process.env['XDG_CACHE_HOME'] = ''
    expect(await lockDirectory(filePath('/nowhere/vault'))).toMatch(/\/\.cache\/agentm\/locks\/[0-9a-f]{64}\/lock$/)
  } finally {
    if (saved === undefined) delete process.env['XDG_CACHE_HOME']
    else process.env['XDG_CACHE_HOME'] = saved
  }
})

it('is spelled as on the disk when Windows gets the place in another case, for the longest part that exists', async () => {
  const windows = {
    ...nodeFileSystem,
    platform: 'win32',
    realpath: async (path: string) => {
      if (path.toLowerCase().startsWith('/c/vault/new')) throw Object.assign(new Error('absent'), { code: 'ENOENT' })
      return path.replace(/^\/c(?=\/|$)/i, '/C').replace(/\/vault/i, '/Vault')
    },
  } as const
  for (const path of ['/c/vault', '/C/VAULT', '/C/Vault']) expect(await realPath(path, windows)).toBe('/C/Vault')
  expect(await realPath('/c/VAULT/New/yet', windows)).toBe('/C/Vault/New/yet')
})
