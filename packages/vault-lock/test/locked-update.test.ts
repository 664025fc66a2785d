import { readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { lockedUpdate, vaultMutex } from '@agentm/vault-lock'
import { expect, it } from 'vitest'
import { setup, namesIn } from './world.ts'

const increment = (text = '0') => `${Number(text) + 1}`

it('shows what is there byte for byte, and writes what comes back', async () => {
  const { root, lockRoot, at } = await setup()
  const seen: (string | undefined)[] = []
  const append = (text: string) => (current: string | undefined) => {
    seen.push(current)
    return `${current ?? ''}${text}`
  }
  expect(await lockedUpdate(root, at('a/note.md'), append('\ufeffone\r\n'), { lockRoot })).toBe('\ufeffone\r\n')
  expect(await lockedUpdate(root, at('a/note.md'), append('two\n'), { lockRoot, mode: 0o600 })).toBe(
    '\ufeffone\r\ntwo\n',
  )
  expect(seen).toEqual([undefined, '\ufeffone\r\n'])
  expect(statSync(at('a/note.md')).mode & 0o777).toBe(0o600)
})

it('writes nothing when nothing changes', async () => {
  const { root, lockRoot, at } = await setup()
  expect(await lockedUpdate(root, at('note.md'), () => undefined, { lockRoot })).toBeUndefined()
  expect(namesIn(root)).toEqual([])
  writeFileSync(at('note.md'), 'same')
  const { ino } = statSync(at('note.md'))
  expect(await lockedUpdate(root, at('note.md'), (text) => text, { lockRoot })).toBe('same')
  expect(statSync(at('note.md')).ino).toBe(ino)
})

it('refuses what is not text, and leaves it as it is', async () => {
  const { root, lockRoot, at } = await setup()
  writeFileSync(at('note.md'), Buffer.from([0x61, 0xff]))
  await expect(lockedUpdate(root, at('note.md'), () => 'new', { lockRoot })).rejects.toThrow(
    expect.objectContaining({ code: 'CORRUPT_TEXT' }),
  )
  expect([...readFileSync(at('note.md'))]).toEqual([0x61, 0xff])
  symlinkSync('other', at('link'))
  await expect(lockedUpdate(root, at('link'), () => 'new', { lockRoot })).rejects.toThrow(
    expect.objectContaining({ code: 'NOT_REPLACEABLE' }),
  )
})

it('loses none of many updates started at once, also inside a hold', async () => {
  const { root, lockRoot, at } = await setup()
  await Promise.all(Array.from({ length: 100 }, () => lockedUpdate(root, at('counter'), increment, { lockRoot })))
  await vaultMutex(
    root,
    async (hold) => {
      await lockedUpdate(root, at('counter'), increment, { lockRoot, within: hold })
      await lockedUpdate(root, at('counter'), increment, { lockRoot, within: hold })
    },
    { lockRoot },
  )
  expect(readFileSync(at('counter'), 'utf8')).toBe('102')
})
