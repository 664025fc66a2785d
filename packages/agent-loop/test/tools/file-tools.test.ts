import { execFileSync } from 'node:child_process'
import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { fileTools } from '../../src/tools/index.ts'
import { conversation, emptyFolder } from './tool-world.ts'

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const each of open.splice(0)) await each.close()
})

async function world() {
  const folder = await emptyFolder()
  open.push(folder)
  const root = path.join(folder.root, 'work')
  await mkdir(root)
  await writeFile(path.join(folder.root, 'secret'), 'secret')
  let ids = 0
  const tools = fileTools({ root, maxBytes: 1000, runtime: { newId: () => `${++ids}` } })
  return { root, above: folder.root, tools, call: conversation(tools) }
}

/** An answer without the version in its first line. */
function plain(answer: string): string {
  return answer.replace(/, version [0-9a-f]{12}/, '')
}

describe('the files of an agent', () => {
  it('are listed, read, written and edited', async () => {
    const { call, root } = await world()
    expect(await call('files_list', {})).toBe('it is empty')
    expect(plain(await call('files_write', { path: 'src/a.txt', text: 'one\ntwo\nthree\n' }))).toBe(
      'src/a.txt, 14 bytes written',
    )
    expect(await call('files_list', {})).toBe('src/')
    expect(plain(await call('files_read', { path: 'src/a.txt' }))).toBe('src/a.txt, 3 lines\none\ntwo\nthree\n')
    expect(plain(await call('files_read', { path: './src/a.txt', from: 2, lines: 1 }))).toBe(
      'src/a.txt, lines 2 to 2 of 3\ntwo',
    )
    const edits = [{ find: 'two', replace: '$& 2' }]
    expect(plain(await call('files_edit', { path: 'src/a.txt', edits }))).toMatch(
      /^src\/a\.txt, edited\n--- src\/a\.txt\n[^]*\n-two\n\+\$& 2\n three$/,
    )
    expect(await readFile(path.join(root, 'src/a.txt'), 'utf8')).toBe('one\n$& 2\nthree\n')
    expect(await readdir(path.join(root, 'src'))).toEqual(['a.txt'])
  })

  it('are nowhere else: neither through .. nor through links nor below them', async () => {
    const { call, root, above } = await world()
    await symlink(above, path.join(root, 'up'))
    await symlink(path.join(above, 'secret'), path.join(root, 'file'))
    await symlink(path.join(above, 'not-there'), path.join(root, 'dangling'))
    for (const place of ['../secret', 'up/secret', 'file', path.join(above, 'secret'), 'x/../../secret', 'a\0b']) {
      await expect(call('files_read', { path: place })).rejects.toMatchObject({ code: 'TOOL_FAILED' })
      await expect(call('files_write', { path: place, text: 'x' })).rejects.toMatchObject({ code: 'TOOL_FAILED' })
    }
    for (const place of ['dangling', 'up/new', '../new', 'up/a/b'])
      await expect(call('files_write', { path: place, text: 'x' })).rejects.toMatchObject({ type: 'permission' })
    await expect(call('files_list', { directory: 'up' })).rejects.toMatchObject({ type: 'permission' })
    expect(await readdir(above)).toEqual(['secret', 'work'])
    expect(await readFile(path.join(above, 'secret'), 'utf8')).toBe('secret')
  })

  it('may be reached through a link that stays inside', async () => {
    const { call, root } = await world()
    await call('files_write', { path: 'real/a.txt', text: 'a' })
    await symlink('real', path.join(root, 'link'))
    expect(plain(await call('files_read', { path: 'link/a.txt' }))).toBe('real/a.txt, 1 line\na')
    await call('files_write', { path: 'link/a.txt', text: 'b' })
    expect(plain(await call('files_read', { path: 'real/a.txt' }))).toBe('real/a.txt, 1 line\nb')
  })

  it('do not include what others run: no hook of git is written', async () => {
    const { call, root } = await world()
    await mkdir(path.join(root, '.git', 'hooks'), { recursive: true })
    await symlink('.git', path.join(root, 'g'))
    for (const place of ['.git/hooks/pre-commit', 'g/hooks/pre-commit', '.GIT/config', 'sub/.git/config'])
      await expect(call('files_write', { path: place, text: 'x' })).rejects.toMatchObject({ type: 'permission' })
    expect(await call('files_list', { directory: '.git' })).toBe('hooks/')
  })

  it('are texts of a size that can be read', async () => {
    const { call, root } = await world()
    await writeFile(path.join(root, 'large'), 'x'.repeat(1001))
    await writeFile(path.join(root, 'bytes'), Buffer.from([1, 0, 2]))
    execFileSync('mkfifo', [path.join(root, 'pipe')])
    for (const [place, why] of [
      ['large', 'more than the 1000'],
      ['bytes', 'is no text'],
      ['pipe', 'is no file'],
      ['.', 'is no file'],
    ] as const)
      await expect(call('files_read', { path: place })).rejects.toThrow(why)
    await expect(call('files_write', { path: 'a', text: 'x'.repeat(1001) })).rejects.toMatchObject({
      type: 'validation',
    })
    await expect(call('files_write', { path: 'pipe', text: 'x' })).rejects.toMatchObject({ type: 'validation' })
  })

  it('stay what they are: a script keeps its mode, and an edit that is not clear changes nothing', async () => {
    const { call, root } = await world()
    await call('files_write', { path: 'run.sh', text: 'echo a; echo a' })
    await chmod(path.join(root, 'run.sh'), 0o755)
    const edit = async (at: string, find: string, replace: string) =>
      call('files_edit', { path: at, edits: [{ find, replace }] })
    await expect(edit('run.sh', 'echo a', 'b')).rejects.toThrow('2 times')
    // Nothing was edited, so nobody has to be asked whether it was.
    await expect(edit('gone', 'a', 'b')).rejects.toMatchObject({ type: 'not_found', mayHaveHappened: false })
    await expect(edit('run.sh', 'nope', 'b')).rejects.toThrow('0 times')
    await edit('run.sh', 'echo a; ', '')
    expect((await stat(path.join(root, 'run.sh'))).mode & 0o777).toBe(0o755)
    expect(await readFile(path.join(root, 'run.sh'), 'utf8')).toBe('echo a')
  })
})
