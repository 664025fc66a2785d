import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
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
  readonly peerDependencies?: Readonly<Record<string, string>>
}

describe('changeset version, on a copy', () => {
  let copy = ''
  let before: readonly Manifest[] = []
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
    before = await manifests()
    await release()
  })
  afterAll(() => rm(copy, { recursive: true, force: true }))

  const release = () => exec(path.join(root, 'node_modules/.bin/changeset'), ['version'], { cwd: copy })
  const manifests = async () => {
    const names = await readdir(path.join(copy, 'packages'))
    return Promise.all(
      names.map(
        async (name) =>
          JSON.parse(await readFile(path.join(copy, 'packages', name, 'package.json'), 'utf8')) as Manifest,
      ),
    )
  }

  it('makes every package 0.1.0 the first time', async () => {
    const first = before.filter(({ version }) => version === '0.0.0').map(({ name }) => name)
    const now = await manifests()
    expect(now.filter(({ name }) => first.includes(name)).map(({ name, version }) => `${name} ${version}`)).toEqual(
      first.map((name) => `${name} 0.1.0`),
    )
    // Once released, nothing is 0.0.0 any more; a package that is new then begins here, with a changeset of its own.
    expect(now.filter(({ version }) => version === '0.0.0')).toEqual([])
  })

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

  it('makes no package 1.0.0 because another one has something new', async () => {
    const peers = (await manifests()).flatMap(({ peerDependencies = {} }) => Object.keys(peerDependencies))
    const ours = [...new Set(peers)].filter((name) => name.startsWith('@agentm/'))
    expect(ours).not.toEqual([])
    const said = `---\n${ours.map((name) => `'${name}': minor\n`).join('')}---\n\nSomething new.\n`
    await writeFile(path.join(copy, '.changeset', 'something-new.md'), said)
    await release()

    const now = await manifests()
    const peersNow = now.filter(({ name }) => ours.includes(name))
    expect(peersNow.map(({ version }) => version)).not.toContain('0.1.0')
    expect(now.filter(({ version }) => !version.startsWith('0.'))).toEqual([])
  })
})
