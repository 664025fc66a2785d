import { execFileSync } from 'node:child_process'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { fileTools } from '../../src/tools/index.ts'
import { callTool, emptyFolder } from './tool-world.ts'

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const each of open.splice(0)) await each.close()
})

async function world(files: Readonly<Record<string, string | Buffer>>) {
  const folder = await emptyFolder()
  open.push(folder)
  const root = path.join(folder.root, 'work')
  await mkdir(root)
  await writeFile(path.join(folder.root, 'secret.txt'), 'needle outside')
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(root, name)), { recursive: true })
    await writeFile(path.join(root, name), text)
  }
  let ids = 0
  const make = (more: object = {}) => fileTools({ root, runtime: { newId: () => `${++ids}` }, ...more })
  const call = async (name: string, args: object, more: object = {}) => (await callTool(make(more), name, args)).text
  return { root, above: folder.root, call }
}

const tree = {
  '.gitignore': '*.log\nbuild/\n!keep.log\n/only-here.txt\n',
  'a.log': 'needle',
  'keep.log': 'needle kept',
  'only-here.txt': 'needle',
  'src/a.ts': 'one\nneedle two\nthree\nfour\nfive\nneedle six',
  'src/b.tsx': 'Needle',
  'src/only-here.txt': 'needle below',
  'src/.gitignore': 'c.ts\n',
  'src/c.ts': 'needle',
  'build/out.ts': 'needle',
  'bytes.bin': Buffer.from('needle\0'),
  '.git/config': 'needle',
}

describe('files_glob', () => {
  it('names the files that a glob matches, without those that .gitignore leaves out', async () => {
    const { call } = await world(tree)
    expect(await call('files_glob', { glob: '*.ts' })).toBe('src/a.ts')
    expect(await call('files_glob', { glob: 'src/**/*.{ts,tsx}' })).toBe('src/a.ts\nsrc/b.tsx')
    expect(await call('files_glob', { glob: '*.ts', ignored: true })).toBe('build/out.ts\nsrc/a.ts\nsrc/c.ts')
    // Rules of the directories above count, too.
    expect(await call('files_glob', { glob: '*', directory: 'src' })).toBe(
      'src/.gitignore\nsrc/a.ts\nsrc/b.tsx\nsrc/only-here.txt',
    )
    expect(await call('files_glob', { glob: '*.rs' })).toBe('no file matches')
    expect(await call('files_glob', { glob: '*', most: 2 })).toBe(
      '.gitignore\nbytes.bin\nonly the first 2 are shown; name a narrower glob or directory',
    )
    await expect(call('files_glob', { glob: 'a{b' })).rejects.toThrow('a{b is no glob')
  })

  it('names the files that git would name', async () => {
    const { call, root } = await world({
      ...tree,
      '.gitignore': `${tree['.gitignore']}doc/**/draft.md\n*.[oa]\n\\#odd\n temp \nfoo/*\n!foo/bar\n**/deep/x\n`,
      'doc/a/b/draft.md': '',
      'doc/draft.md': '',
      'doc/final.md': '',
      'lib/x.o': '',
      'lib/x.c': '',
      '#odd': '',
      'foo/bar/y': '',
      'foo/baz/y': '',
      'one/deep/x': '',
      'deep/x': '',
      '{a}.txt': '',
    })
    execFileSync('rm', ['-rf', '.git'], { cwd: root })
    const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' })
    git('init', '-q')
    const listed = git('-c', 'core.quotePath=false', 'ls-files', '-o', '--exclude-standard').trim().split('\n')
    expect((await call('files_glob', { glob: '*' })).split('\n').toSorted()).toEqual(listed.toSorted())
  })
})

describe('files_search', () => {
  it('finds lines, with the lines around them', async () => {
    const { call } = await world(tree)
    expect(await call('files_search', { pattern: 'needle' })).toBe(
      'keep.log:1: needle kept\nsrc/a.ts:2: needle two\nsrc/a.ts:6: needle six\nsrc/only-here.txt:1: needle below',
    )
    expect(await call('files_search', { pattern: 'NEEDLE', ignoreCase: true, glob: '*.tsx' })).toBe(
      'src/b.tsx:1: Needle',
    )
    expect(await call('files_search', { pattern: 'needle', glob: '!*.{log,txt}', context: 1 })).toBe(
      'src/a.ts-1- one\nsrc/a.ts:2: needle two\nsrc/a.ts-3- three\n--\nsrc/a.ts-5- five\nsrc/a.ts:6: needle six',
    )
    expect(await call('files_search', { pattern: 'needle', most: 1 })).toBe(
      'keep.log:1: needle kept\nonly the first 1 matches are shown; name a narrower pattern, glob or directory',
    )
    expect(await call('files_search', { pattern: 'nowhere', directory: 'src' })).toBe('nothing found in 4 files')
  })

  it('finds what a regular expression matches', async () => {
    const { call } = await world(tree)
    expect(await call('files_search', { pattern: '^needle (two|six)$', regex: true })).toBe(
      'src/a.ts:2: needle two\nsrc/a.ts:6: needle six',
    )
    expect(await call('files_search', { pattern: 'n.edle (two|six', regex: false })).toContain('nothing found')
    await expect(call('files_search', { pattern: '(', regex: true })).rejects.toThrow('Escape characters')
  })

  it('stops an expression that would never end, and the process goes on', async () => {
    const { call } = await world({ 'a.txt': `${'a'.repeat(60)}!` })
    const searching = call('files_search', { pattern: '^(a+)+$', regex: true }, { matchingMs: 100 })
    await expect(searching).rejects.toMatchObject({ type: 'validation', message: expect.stringContaining('100 ms') })
  })

  it('never follows a link, not even one within the folder', async () => {
    const { call, root, above } = await world({ 'real/a.txt': 'needle' })
    await symlink(above, path.join(root, 'up'))
    await symlink(path.join(above, 'secret.txt'), path.join(root, 'file.txt'))
    await symlink('real', path.join(root, 'again'))
    await symlink('.', path.join(root, 'round'))
    await symlink(path.join(above, 'secret.txt'), path.join(root, '.gitignore'))
    expect(await call('files_search', { pattern: 'needle' })).toBe('real/a.txt:1: needle')
    expect(await call('files_glob', { glob: '**' })).toBe('real/a.txt')
    for (const directory of ['..', 'up', '/etc'])
      await expect(call('files_search', { pattern: 'x', directory })).rejects.toMatchObject({ type: 'permission' })
  })
})
