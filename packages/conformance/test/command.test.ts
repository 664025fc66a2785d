import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const bin = fileURLToPath(new URL('../bin/agentm-conformance.mjs', import.meta.url))
const here = fileURLToPath(new URL('.', import.meta.url))
const journal = './planted/journal.mjs'
let home = ''

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'agentm-command-'))
})

afterAll(async () => rm(home, { recursive: true, force: true }))

describe('agentm-conformance', () => {
  it('answers 0 when every contract that applies is kept, and says which', async () => {
    const only = 'write-read,process-creates,personal-grant-fits'
    const { code, out } = await run(journal, '--settings', '{"fault":"none"}', '--only', only)
    expect({ code, out }).toEqual({
      code: 0,
      out: [
        '  kept     gives back each text at its own place',
        '  kept     lets one of several processes create a note, and tells the others',
        '  skipped  makes a personal write with a grant for it (it does not declare personalWrite)',
        '2 kept, 1 skipped, 0 broken',
        '',
      ].join('\n'),
    })
  })

  it('answers 1 when a contract is broken, and says how, also as JSON', async () => {
    const broken = [journal, '--settings', '{"fault":"process-sees-writes"}', '--only', 'process-sees-writes']
    const told = await run(...broken)
    expect(told.code).toBe(1)
    expect(told.out).toContain('BROKEN   shows one process what another has written')
    const { code, out } = await run(...broken, '--json')
    expect(code).toBe(1)
    expect(JSON.parse(out)).toEqual({
      passed: [],
      failed: [
        {
          id: 'process-sees-writes',
          sentence: 'shows one process what another has written',
          error: expect.stringContaining('"first"'),
        },
      ],
      skipped: [],
    })
  })

  it.each([
    ['no module', [], 'name one MODULE'],
    ['two modules', ['a', 'b'], 'name one MODULE'],
    ['a module that is not there', ['./planted/absent.mjs'], 'absent.mjs'],
    ['a package that is not there', ['no-such-backend-anywhere'], 'there is no module "no-such-backend-anywhere"'],
    ['a module without a plugin', ['../dist/index.js'], 'exports no plugin'],
    ['an unknown option', [journal, '--fast'], '--fast'],
    ['an unknown contract', [journal, '--only', 'no-such'], 'no contract with the id "no-such"'],
    ['settings that are no JSON', [journal, '--settings', '{'], 'JSON'],
    ['settings that are no object', [journal, '--settings', '[]'], 'wants a JSON object'],
    ['a scale of nothing', [journal, '--scale', '0'], '--scale'],
    ['a directory named outright', [journal, '--settings', '{"fault":"none","directory":"/srv/vault"}'], 'outright'],
  ])('answers 2 for %s, and says what is wrong', async (_, args, complaint) => {
    const { code, out, err } = await run(...args)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(complaint)
    expect(err).toContain('usage: agentm-conformance MODULE')
  })

  it('explains itself and leaves the home of whoever calls it alone', async () => {
    const { code, out } = await run('--help')
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('--settings JSON') })
    expect(await readdir(home)).toEqual([])
  })
})

async function run(...args: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  const env = { ...process.env, HOME: home, XDG_CACHE_HOME: join(home, 'cache') }
  return new Promise((resolve) => {
    execFile(process.execPath, [bin, ...args], { cwd: here, env }, (error, out, err) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : error === null ? 0 : -1, out, err })
    })
  })
}
