import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { openStore, pathIn } from './open-store.ts'

const script = fileURLToPath(new URL('processes.mjs', import.meta.url))
const strace = spawnSync('strace', ['-V']).status === 0

describe.skipIf(!strace)('flushes to disk, counted from outside (needs strace)', () => {
  test('every full append is flushed before it is acknowledged', async () => {
    expect(await flushes('append', 'full', '60', '1')).toBeGreaterThanOrEqual(60)
  })

  test('normal appends are not flushed one by one', async () => {
    expect(await flushes('append', 'normal', '60', '1')).toBeLessThan(15)
  })

  test('full appends at the same time share a flush', async () => {
    const count = await flushes('append', 'full', '200', '50')
    expect(count).toBeGreaterThanOrEqual(4)
    expect(count).toBeLessThan(30)
  })

  test('vectors, which can be computed again, wait for no flush', async () => {
    expect(await flushes('vectors', '60')).toBeLessThan(15)
  })
})

/** How often the store's files were flushed, beyond what opening and closing take. */
async function flushes(...task: readonly [string, ...string[]]): Promise<number> {
  return (await counted(...task)) - (await counted('nothing'))
}

async function counted(name: string, ...settings: readonly string[]): Promise<number> {
  const store = await openStore()
  const { directory } = store
  await store.close()
  const trace = join(directory, 'trace')
  const command = [process.execPath, script, name, pathIn(directory), ...settings]
  execFileSync('strace', ['-f', '-qq', '-e', 'trace=fdatasync,fsync', '-o', trace, ...command])
  return readFileSync(trace, 'utf8').split(/f(?:data)?sync\(/).length - 1
}
