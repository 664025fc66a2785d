import { describe, expect, it } from 'vitest'
import { type Files, findingsIn, inRepository, manifest } from './repository.ts'
import { runGates } from '@agentm/gates'

const copy = `
  export class LockLostError extends Error { constructor(place, options) { super(place) } }
  export async function vaultMutex(root, run, { timeout = 1 } = {}) { return run(root, timeout) }
  export const brand = 'lock'
`
const packaged = `
  export class LockLostError extends Error { constructor(place: string, _options?: object) { super(place) } }
  export async function vaultMutex(root: string, run: (...given: unknown[]) => void, { timeout = 1 } = {}) { run(root, timeout) }
  export const brand = 'lock'
  export const left = 1
  export interface Hold { readonly root: string }
`
const tool = `
  import { readFileSync } from 'node:fs'
  if (readFileSync('skills/lock.mjs', 'utf8') !== readFileSync('built.mjs', 'utf8')) { console.error('skills/lock.mjs differs'); process.exitCode = 1 }
`
const vaultLock = { vendored: 'skills/lock.mjs', check: ['tools/vendor.mjs', '--check'], leavesOut: ['left'] }

function files(vendored: string): Files {
  return {
    'packages/vault-lock/package.json': manifest('vault-lock'),
    'packages/vault-lock/src/index.ts': packaged,
    'tools/vendor.mjs': tool,
    'skills/lock.mjs': vendored,
    'built.mjs': copy,
  }
}

async function parity(vendored: string): Promise<string[]> {
  const found = await findingsIn(files(vendored), { vaultLock }, ['vault-lock-parity'])
  return found['skills/lock.mjs'] ?? []
}

async function judge(given: Files): Promise<unknown> {
  return inRepository(given, (root) => runGates({ root, config: { vaultLock }, only: ['vault-lock-parity'] }))
}

const bytes =
  'vault-lock-parity/bytes: the copy is not what tools/vendor.mjs builds now. Run it without --check. skills/lock.mjs differs'

describe('vault-lock-parity', () => {
  it('passes the copy that the tool builds', async () => {
    expect(await parity(copy)).toEqual([])
  })

  it('finds a copy that differs in one byte', async () => {
    expect(await parity(`${copy} `)).toEqual([bytes])
  })

  it('finds names, kinds and arguments that are not the package’s', async () => {
    const other = copy
      .replace('vaultMutex(root, run,', 'vaultMutex(root,')
      .replace('class LockLostError extends Error', 'class Lost')
    expect(await parity(`${other.replace('super(place)', '')}\nexport function brand2() {}`)).toEqual([
      bytes,
      'vault-lock-parity/kinds: the copy exports vaultMutex with 1 arguments, and it takes 2.',
      'vault-lock-parity/names: the copy does not export LockLostError, and vault-lock does. Build it again.',
      'vault-lock-parity/names: the copy exports Lost, which vault-lock does not promise it.',
      'vault-lock-parity/names: the copy exports brand2, which vault-lock does not promise it.',
    ])
    expect(await parity(copy.replace(`const brand = 'lock'`, 'function brand() {}'))).toEqual([
      bytes,
      'vault-lock-parity/kinds: the copy exports brand as a function, and it is a value.',
    ])
  })

  it('finds a copy that needs something installed', async () => {
    expect(await parity(`import 'proper-lockfile'\n${copy}`)).toEqual(
      [
        "vault-lock-parity/bare: the copy does not run with Node alone: Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'proper-lockfile' imported from",
        bytes,
      ].map((text) => expect.stringContaining(text)),
    )
  })

  it('refuses to judge when the copy or the tool is not there', async () => {
    const { 'skills/lock.mjs': _copy, ...noCopy } = files(copy)
    const { 'tools/vendor.mjs': _tool, ...noTool } = files(copy)
    await expect(judge(noCopy)).rejects.toMatchObject({
      code: 'UNREADABLE',
      message: /skills\/lock.mjs cannot be read/,
    })
    await expect(judge(noTool)).rejects.toMatchObject({
      code: 'UNREADABLE',
      message: /tools\/vendor.mjs cannot be read/,
    })
  })
})
