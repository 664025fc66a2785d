import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { isLocal, QuickDisk } from '../src/quick-disk.ts'

/** On a disk of this machine, where it has one that is known to be. */
async function setup() {
  const directory = mkdtempSync(path.join(tmpdir(), 'agentm-quick-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  let now = 0
  const disk = new QuickDisk(() => now)
  const ask = async (file: string, tookMs = 0) =>
    disk.answer(
      file,
      () => {
        now += tookMs
        return 'directly'
      },
      async () => 'by a thread',
    )
  return {
    ask,
    file: path.join(directory, 'a.md'),
    usual: (await isLocal(directory)) ? 'directly' : 'by a thread',
    rested: () => disk.rested(),
    wait: (ms: number) => (now += ms),
  }
}

test('asks a disk of this machine directly, and any other by a thread', async () => {
  const { ask, file, usual } = await setup()
  expect(await ask(file)).toBe(usual)
  expect(await ask('/proc/self/status')).toBe('by a thread')
  expect(await ask(path.join(path.dirname(file), 'no such directory', 'a.md'))).toBe('by a thread')
})

test('asks by a thread for a while after an answer that took long', async () => {
  const { ask, file, usual, wait } = await setup()
  await ask(file, 50)
  expect(await ask(file)).toBe('by a thread')
  wait(10_001)
  expect(await ask(file)).toBe(usual)
})

test('goes on asking a disk directly on a machine that is busy with other work', async () => {
  const { ask, file, usual, wait } = await setup()
  for (let second = 0; second < 5; second++) {
    for (let i = 0; i < 3; i++) expect(await ask(file, 7)).toBe(usual)
    wait(1_000)
  }
  for (let i = 0; i < 4; i++) await ask(file, 7)
  expect(await ask(file)).toBe('by a thread')
})

test('lets others have their turn, however much is asked', async () => {
  const { ask, file } = await setup()
  const answers = []
  for (let i = 0; i < 129; i++) answers.push(await ask(file))
  expect(answers.at(-1)).toBe('by a thread')
})

test('counts from the last turn that others had', async () => {
  const { ask, file, usual, rested } = await setup()
  for (let i = 0; i < 300; i++) {
    if (i % 100 === 0) rested()
    expect(await ask(file)).toBe(usual)
  }
})

test('passes on what was in the way', async () => {
  const { file } = await setup()
  await expect(new QuickDisk().answer(file, refuse, async () => refuse())).rejects.toThrow('not now')
})

function refuse(): never {
  throw new TypeError('not now')
}
