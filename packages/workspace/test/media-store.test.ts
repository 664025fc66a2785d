import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { mediaOf } from '@agentm/agent-loop/internal'
import { filePath } from '@agentm/vault-lock'
import { expect, it, onTestFinished } from 'vitest'
import { samplePng } from '../../../tools/sample-media.mjs'
import { mediaStore } from '../src/media-store.ts'

const day = 86_400_000

async function world() {
  const home = filePath(await mkdtemp(path.join(tmpdir(), 'agentm-media-')))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  let now = Date.now()
  const store = mediaStore({ env: {}, home, installations: [] }, { now: () => now })
  const directory = path.join(home, '.agentm', 'media')
  return { store, directory, names: () => readdir(directory), pass: (ms: number) => (now += ms) }
}

function picture(red: number) {
  const bytes = samplePng([red, 0, 0])
  const found = mediaOf(bytes, { name: 'shot.png', accepts: ['image'] })
  if (found.is !== 'part') throw new TypeError('it is a picture')
  return { bytes, part: found.part }
}

it('keeps the same bytes once', async () => {
  const { store, names } = await world()
  const { bytes, part } = picture(1)
  expect(await store.read(part)).toBe(undefined)
  await Promise.all([store.keep(part, bytes), store.keep(part, bytes)])
  expect(await names()).toEqual([part.hash])
  expect(await store.read(part)).toEqual(bytes)
})

it.skipIf(process.platform === 'win32')('lets only its owner read them', async () => {
  const { store, directory } = await world()
  const { bytes, part } = picture(1)
  await store.keep(part, bytes)
  const modes = await Promise.all([directory, path.join(directory, part.hash)].map(async (at) => (await stat(at)).mode))
  expect(modes.map((mode) => mode & 0o777)).toEqual([0o700, 0o600])
})

it('has nothing where somebody changed the bytes, and has them again once they are kept anew', async () => {
  const { store, directory } = await world()
  const { bytes, part } = picture(1)
  await store.keep(part, bytes)
  await writeFile(path.join(directory, part.hash), samplePng([9, 9, 9]))
  expect(await store.read(part)).toBe(undefined)
  await store.keep(part, bytes)
  expect(await store.read(part)).toEqual(bytes)
})

it('removes what nobody has used for 90 days, and keeps what was read meanwhile', async () => {
  const { store, names, directory, pass } = await world()
  const [used, unused, later] = [picture(1), picture(2), picture(3)]
  for (const { part, bytes } of [used, unused]) {
    await store.keep(part, bytes)
    const before = Date.now() / 1000 - 80 * 86_400
    await utimes(path.join(directory, part.hash), before, before)
  }
  expect(await store.read(used.part)).toEqual(used.bytes)
  pass(11 * day)
  await store.keep(later.part, later.bytes)
  expect((await names()).toSorted()).toEqual([used.part.hash, later.part.hash].toSorted())
})
