/** docs/reference/file-formats.md beside what the command really writes. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { root } from '../run.mjs'

const page = readFileSync(path.join(root, 'docs/reference/file-formats.md'), 'utf8')
const home = mkdtempSync(path.join(os.tmpdir(), 'agentm-formats-'))
const vault = path.join(home, 'vault')
const checkout = path.join(home, 'acme')
const read = (...parts: readonly string[]) => readFileSync(path.join(home, ...parts), 'utf8')

beforeAll(() => {
  mkdirSync(vault)
  mkdirSync(checkout)
  execFileSync('git', ['init', '-q', checkout])
  execFileSync('git', ['-C', checkout, 'remote', 'add', 'origin', 'git@github.com:ada/acme.git'])
  agentm('init', '--yes', '--vault', vault)
  agentm('project', 'name', 'acme')
  agentm('save', '--kind', 'decision', '--title', 'Locks', 'The lock file lives outside the vault.')
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

function agentm(...args: readonly string[]): void {
  const env = { PATH: process.env['PATH'], HOME: home, NODE_NO_WARNINGS: '1' }
  execFileSync(process.execPath, [path.join(root, 'packages/cli/bin/agentm.mjs'), ...args], {
    cwd: checkout,
    env,
    stdio: 'pipe',
  })
}

it('shows a note as it is written, but for its dates', () => {
  const note = read('vault/projects/acme/decision/locks.md')
  const shown = fenceWith('kind: decision')
  const dates = /\d{4}-\d{2}-\d{2}/g
  expect(note.replaceAll(dates, 'DATE')).toBe(shown.replaceAll(dates, 'DATE'))
})

it.each([
  ['the install config', '.claude/.agentm-config.json', 'plugins.obsidian-vault.store_id'],
  ['the registry', 'vault/_meta/repos.json', 'root_path'],
  ['a project file', 'acme/.harness/project.json', 'vault_project'],
])('shows %s with the keys it has', (_, file, key) => {
  const shown: unknown = JSON.parse(fenceWith(`"${key}"`))
  expect(keysIn(JSON.parse(read(file)))).toEqual(keysIn(shown))
})

it('shows the store marker and the record of a lock with the keys they have', () => {
  const records = readdirSync(path.join(vault, '.agentm-locks')).filter((name) =>
    /^[0-9a-z]+-[0-9a-z]+\.json$/.test(name),
  )
  expect(keysIn(JSON.parse(read('vault/.agentm-locks', records[0] ?? '')))).toEqual(
    keysIn(JSON.parse(fenceWith('"token"'))),
  )
  expect(keysIn(JSON.parse(read('vault/_meta/agentm-store.json')))).toEqual(['id'])
})

function fenceWith(text: string): string {
  const found = [...page.matchAll(/^```\w+\n(.*?)^```$/gms)]
    .map(([, code = '']) => code)
    .find((code) => code.includes(text))
  if (found === undefined) throw new Error(`the page shows no ${text}`)
  return found
}

/** All keys, at any depth. */
function keysIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  return [
    ...new Set(
      Object.entries(value).flatMap(([key, inner]) => [...(Array.isArray(value) ? [] : [key]), ...keysIn(inner)]),
    ),
  ]
}
