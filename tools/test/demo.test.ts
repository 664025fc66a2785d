import { execFile } from 'node:child_process'
import path from 'node:path'
import { expect, it } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')

function demo(...args: string[]) {
  return new Promise<{ code: number; stdout: string }>((done) => {
    execFile(process.execPath, [path.join(root, 'tools/demo.mjs'), ...args], (error, stdout) => {
      done({ code: error === null ? 0 : Number(error.code), stdout })
    })
  })
}

it('kills a writer in the middle of a write and loses nothing', { timeout: 60_000 }, async () => {
  const { code, stdout } = await demo()
  expect(stdout).toMatch(/kill -9 in the middle, [1-9]\d+ bytes of it lie beside the note/)
  expect(stdout).toMatch(/acknowledged \d+, lost 0, doubled 0, torn 0, left behind 0\n$/)
  expect(stdout.trimEnd().split('\n').length).toBeLessThanOrEqual(12)
  expect(code).toBe(0)
})

it('exits with 1 when lines are lost', { timeout: 60_000 }, async () => {
  const { code, stdout } = await demo(path.join(root, 'tools/test/planted/unlocked-writer.mjs'))
  expect(stdout).toMatch(/acknowledged \d+, lost [1-9]/)
  expect(code).toBe(1)
})
