import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { lstatAll } from '../src/lstat-all.ts'

const directories: string[] = []

afterEach(async () => {
  for (const directory of directories.splice(0)) await rm(directory, { recursive: true })
})

async function setup(count: number): Promise<readonly string[]> {
  const directory = await mkdtemp(path.join(tmpdir(), 'agentm-lstat-'))
  directories.push(directory)
  const files = Array.from({ length: count }, (_, i) => path.join(directory, `${i}.md`))
  for (const [i, file] of files.entries()) await writeFile(file, 'x'.repeat(i))
  return files
}

/** A clock on which each look is so much later than the one before. */
function clock(step: number): () => number {
  let now = 0
  return () => (now += step)
}

it.each([
  ['answers at once', 0],
  ['is slow from the first question', 1000],
])('answers in order, and for what is not there, when the disk %s', async (_, step) => {
  const files = await setup(100)
  const asked = [...files.slice(0, 40), path.join(path.dirname(files[0] ?? ''), 'absent.md'), ...files.slice(40)]
  const found = await lstatAll(asked, clock(step))
  const sizes = found.map((stats) => (stats === undefined ? undefined : Number(stats.size)))
  expect(sizes).toEqual([...Array(40).keys(), undefined, ...Array.from({ length: 60 }, (_each, i) => 40 + i)])
})

it('asks a slow disk by other threads, so that whoever else is there gets a turn', async () => {
  const files = await setup(100)
  const turns: string[] = []
  const answered = lstatAll(files, clock(1000)).then(() => turns.push('answered'))
  setImmediate(() => turns.push('somebody else'))
  await answered
  expect(turns).toEqual(['somebody else', 'answered'])
})

it('does not follow a link', async () => {
  const [file = ''] = await setup(1)
  await symlink(file, `${file}.link`)
  const [stats] = await lstatAll([`${file}.link`])
  expect(stats?.isSymbolicLink()).toBe(true)
})

it('does not hide what the system refuses to say', async () => {
  await expect(lstatAll([`/${'x'.repeat(300)}`])).rejects.toMatchObject({ code: 'ENAMETOOLONG' })
  await expect(lstatAll(Array(40).fill(`/${'x'.repeat(300)}`), clock(1000))).rejects.toMatchObject({
    code: 'ENAMETOOLONG',
  })
})
