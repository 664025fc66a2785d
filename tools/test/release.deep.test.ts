import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')
const exec = promisify(execFile)

interface Manifest {
  readonly name: string
  readonly version: string
  readonly dependencies?: Readonly<Record<string, string>>
}

describe('changeset version, on a copy', () => {
  let copy = ''
  const waiting = new Map<string, string[]>()

  beforeAll(async () => {
    copy = await mkdtemp(path.join(os.tmpdir(), 'agentm-release-'))
    await exec('git', ['clone', '-q', root, copy])
    await symlink(path.join(root, 'node_modules'), path.join(copy, 'node_modules'))
    const changesets = path.join(copy, '.changeset')
    for (const file of await readdir(changesets)) {
      const text = await readFile(path.join(changesets, file), 'utf8')
      const [, named = '', said = ''] = /^---\n(.*?)\n---\n\n(.*)$/s.exec(text) ?? []
      for (const [, name = ''] of named.matchAll(/'(@agentm\/[^']+)'/g))
        waiting.set(name, [...(waiting.get(name) ?? []), said.trim().split('\n')[0] ?? ''])
    }
    await exec(path.join(root, 'node_modules/.bin/changeset'), ['version'], { cwd: copy })
  })
  afterAll(() => rm(copy, { recursive: true, force: true }))

  const manifests = async () => {
    const names = await readdir(path.join(copy, 'packages'))
    return Promise.all(
      names.map(
        async (name) =>
          JSON.parse(await readFile(path.join(copy, 'packages', name, 'package.json'), 'utf8')) as Manifest,
      ),
    )
  }

  it('tells users of each package what changed, in the words of its changesets', async () => {
    for (const [name, said] of waiting) {
      const log = await readFile(path.join(copy, 'packages', name.replace('@agentm/', ''), 'CHANGELOG.md'), 'utf8')
      expect(log).toMatch(new RegExp(`^# ${name}\n\n## \\d+\\.\\d+\\.\\d+\n\n### (Major|Minor|Patch) Changes`))
      for (const line of said) expect(log).toContain(line)
    }
    expect(
      (await readdir(path.join(copy, '.changeset'))).filter((file) => file.endsWith('.md') && file !== 'README.md'),
    ).toEqual([])
  })

  it('leaves no package that asks for a version of another that is not there', async () => {
    const all = await manifests()
    const versions = new Map(all.map(({ name, version }) => [name, version]))
    const wrong = all.flatMap(({ name, dependencies = {} }) =>
      Object.entries(dependencies)
        .filter(([other]) => versions.has(other))
        .filter(([other, range]) => range !== `^${versions.get(other)}`)
        .map(([other, range]) => `${name} asks for ${other} ${range}, and there is ${versions.get(other)}`),
    )
    expect(wrong).toEqual([])
  })
})
