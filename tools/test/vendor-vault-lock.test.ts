import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import * as vaultLock from '@agentm/vault-lock'
import { expect, it, onTestFinished } from 'vitest'
import { root } from '../run.mjs'
import { bundleVaultLock, vendored } from '../vendor-vault-lock.mjs'

it('makes the same bytes from the same sources, and the committed copy is they', async () => {
  const code = await bundleVaultLock()
  expect(await bundleVaultLock()).toBe(code)
  expect(readFileSync(path.join(root, vendored), 'utf8') === code).toBe(true)
})

it('makes a copy that runs from an empty folder and exports what the package does', () => {
  const home = realpathSync(mkdtempSync(path.join(tmpdir(), 'vendored-')))
  onTestFinished(() => rmSync(home, { recursive: true }))
  copyFileSync(path.join(root, vendored), path.join(home, 'vault-lock.mjs'))
  writeFileSync(
    path.join(home, 'script.mjs'),
    `import * as vaultLock from './vault-lock.mjs'
     const { contentHash, filePath, lockedUpdate } = vaultLock
     const target = filePath(process.cwd() + '/vault/note.md')
     const updates = Array.from({ length: 20 }, () => lockedUpdate(filePath(process.cwd() + '/vault'), target, (text = '') => text + 'x'))
     const texts = await Promise.all(updates)
     console.log(JSON.stringify({ names: Object.keys(vaultLock), hash: contentHash(texts.at(-1)) }))`,
  )
  const env = { PATH: process.env['PATH'], HOME: home, XDG_CACHE_HOME: path.join(home, 'cache') }
  const answer = execFileSync(process.execPath, ['script.mjs'], { cwd: home, env, encoding: 'utf8' })
  expect(JSON.parse(answer)).toEqual({
    names: Object.keys(vaultLock).toSorted(),
    hash: vaultLock.contentHash('x'.repeat(20)),
  })
  expect(readdirSync(path.join(home, 'vault')).filter((name) => name !== '.agentm-locks')).toEqual(['note.md'])
})
