import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterEach, expect, it } from 'vitest'
import { faultLines, skippedLines, sumOf, tallyLine } from '../tally.mjs'

const root = path.resolve(import.meta.dirname, '../..')
const scratches: string[] = []
afterEach(async () => {
  for (const scratch of scratches.splice(0)) await rm(scratch, { recursive: true, force: true })
})

/** Runs vitest with the reporter of the house over these files. */
async function tallyOf(files: Record<string, string>) {
  const scratch = await mkdtemp(path.join(os.tmpdir(), 'agentm-tally-'))
  scratches.push(scratch)
  await symlink(path.join(root, 'node_modules'), path.join(scratch, 'node_modules'))
  for (const [file, text] of Object.entries(files)) await writeFile(path.join(scratch, file), text)
  const tally = path.join(scratch, 'tally.json')
  const args = [path.join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--root', scratch]
  const run = promisify(execFile)(
    process.execPath,
    [...args, '--reporter', path.join(root, 'tools/tally-reporter.mjs')],
    {
      cwd: scratch,
      env: { ...process.env, AGENTM_TALLY: tally, VITEST: undefined },
    },
  )
  const { stdout } = await run.catch((error: { stdout: string }) => error)
  return { stdout, tally: JSON.parse(await readFile(tally, 'utf8')) }
}

it('counts what vitest ran, file by file that would not load, and keeps the reason of each skipped test', async () => {
  const { stdout, tally } = await tallyOf({
    'mixed.test.mjs': `import { describe, it } from 'vitest'
      describe.skip('with a database', () => it('stores', () => {}))
      it('holds', () => {})
      it('breaks', () => { throw new Error('planted') })
      it('waits', (context) => context.skip('no database here'))
      let tries = 0
      it('wavers', { retry: 1 }, () => { if (tries++ === 0) throw new Error('once\\nin detail') })`,
    'broken.test.mjs': `import './absent.mjs'`,
  })
  expect(tally).toEqual({
    passed: 2,
    failed: 2,
    broken: [
      { what: 'mixed.test.mjs: breaks', why: 'planted' },
      { what: 'broken.test.mjs', why: expect.stringContaining('./absent.mjs') },
    ],
    shaky: [{ what: 'mixed.test.mjs: wavers', why: 'once in detail' }],
    skipped: [
      { what: 'mixed.test.mjs: with a database > stores', why: 'mixed.test.mjs: with a database' },
      { what: 'mixed.test.mjs: waits', why: 'no database here' },
    ],
  })
  expect(stdout).toMatch(/^2 passed, 2 failed, 2 skipped$/m)
})

it('adds tallies up and says each reason once', () => {
  const skipped = [{ what: 'a', why: 'no database here' }]
  const sum = sumOf([
    { passed: 1, failed: 0, skipped },
    { passed: 2, failed: 1, skipped: [...skipped, { what: 'b', why: 'slow' }] },
  ])
  expect(tallyLine(sum)).toBe('3 passed, 1 failed, 3 skipped')
  expect(faultLines({ ...sum, broken: [{ what: 'a', why: 'b' }], shaky: [{ what: 'c', why: 'd' }] })).toEqual([
    'PASSED ONLY ON A SECOND TRY: c: d',
    'FAILED: a: b',
  ])
  expect(skippedLines(sum)).toEqual(['skipped 2: no database here', 'skipped 1: slow'])
})
