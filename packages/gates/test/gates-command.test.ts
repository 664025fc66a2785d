import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { gatesCommand, type GatesReport, textReport } from '@agentm/gates'
import { describe, expect, it } from 'vitest'
import { type Files, inRepository } from './repository.ts'

const impure: Files = {
  'package.json': { name: 'one', type: 'module' },
  'src/pure/a.ts': 'export const a = () => Date.now()',
  'src/index.ts': `export { a } from './pure/a.ts'`,
}
const clean: Files = { ...impure, 'src/pure/a.ts': 'export const a = () => 1' }

async function command(
  files: Files,
  args: readonly string[],
  look = async (_root: string): Promise<unknown> => undefined,
) {
  return inRepository(files, async (cwd) => {
    let [out, err] = ['', '']
    const exit = await gatesCommand(args, { cwd, out: (text) => (out += text), err: (text) => (err += text) })
    return { exit, out, err, seen: await look(cwd) }
  })
}

const only = ['--only', 'pure-folder']

describe('agentm-gates', () => {
  it('answers 0 and one line when the source is clean', async () => {
    expect(await command(clean, only)).toMatchObject({ exit: 0, out: 'clean: 2 files, pure-folder\n', err: '' })
  })

  it('answers 1 and says where, which rule, and what to do', async () => {
    const out = `src/pure/a.ts:1:24  pure-folder/clock
    Date.now asks the time. A file under pure/ only decides; take the time as an argument.
1 finding: 2 files, pure-folder
`
    expect(await command(impure, only)).toMatchObject({ exit: 1, out })
  })

  it('says which gates did not run, and why', () => {
    const ran = [{ gate: 'pure-folder', ms: 1 }]
    const unconfigured = [{ gate: 'one-writer', why: 'oneWriter is not configured' }]
    expect(textReport({ root: '/', findings: [], ran, unconfigured, files: 2 })).toBe(
      'not run: one-writer (oneWriter is not configured)\nclean: 2 files, pure-folder\n',
    )
  })

  it('runs the gates that the configuration chooses', async () => {
    const config = 'export default { gates: ["pure-folder"] }'
    expect(await command({ ...clean, 'agentm-gates.config.mjs': config }, [])).toMatchObject({ exit: 0 })
  })

  it('writes JSON and SARIF with the same rule and place', async () => {
    const json = await command(impure, [...only, '--json'])
    const report = JSON.parse(json.out) as GatesReport
    expect(report.findings).toMatchObject([{ rule: 'pure-folder/clock', file: 'src/pure/a.ts', line: 1, column: 24 }])
    const sarif = await command(impure, [...only, '--sarif'])
    expect(JSON.parse(sarif.out)).toMatchObject({
      version: '2.1.0',
      runs: [
        {
          tool: { driver: { name: 'agentm-gates' } },
          results: [
            {
              ruleId: 'pure-folder/clock',
              locations: [
                {
                  physicalLocation: {
                    artifactLocation: { uri: 'src/pure/a.ts' },
                    region: { startLine: 1, startColumn: 24 },
                  },
                },
              ],
            },
          ],
        },
      ],
    })
    const file = await command(impure, [...only, '--sarif', 'out.sarif'], (root) =>
      readFile(path.join(root, 'out.sarif'), 'utf8'),
    )
    expect(file.exit).toBe(1)
    expect(file.seen).toContain('"ruleId": "pure-folder/clock"')
    expect(file.out).toContain('1 finding')
  })

  it.each([
    ['a root that is not there', clean, ['nowhere'], /nowhere cannot be read/],
    ['a root that is a file', clean, ['package.json'], /package.json is not a directory/],
    ['a root without a manifest', clean, ['src'], /src\/package.json cannot be read/],
    [
      'packages that are not there',
      { ...clean, 'package.json': { name: 'x', workspaces: ['packages/*'] } },
      only,
      /no package matching/,
    ],
    ['no source', { 'package.json': { name: 'x' } }, only, /no source files/],
    [
      'a file that cannot be parsed',
      { ...clean, 'src/b.ts': 'export const = 1' },
      only,
      /src\/b.ts:1 cannot be parsed/,
    ],
    ['an unknown gate', clean, ['--only', 'nope'], /no gate nope/],
    ['no gate', { ...clean, 'agentm-gates.config.json': { gates: [] } }, [], /no gate was chosen/],
    ['a gate that is not configured', clean, ['--only', 'one-writer'], /one-writer was asked for, but/],
    ['an unknown option', clean, ['--fast'], /Unknown option '--fast'/],
    ['two roots', clean, ['a', 'b'], /one root at a time/],
    ['a configuration that is not there', clean, ['--config', 'x.mjs'], /x.mjs cannot be read/],
    [
      'a configuration with a typing mistake',
      { ...clean, 'agentm-gates.config.json': { oneWriters: {} } },
      [],
      /Unrecognized key: "oneWriters"/,
    ],
    [
      'a package that nobody knows',
      { ...clean, 'agentm-gates.config.json': { noPathLeak: { packages: ['routin'] } } },
      ['--only', 'storage-seam-no-path-leak'],
      /names routin, and there is no such package/,
    ],
    [
      'an exception without a reason',
      { ...clean, 'agentm-gates.config.json': { oneWriter: { exceptions: [{ file: 'a', calls: ['rm'], why: '' }] } } },
      [],
      /needs a reason/,
    ],
  ] as const)('answers 2, never clean, for %s', async (_, files, args, says) => {
    const { exit, out, err } = await command(files, args)
    expect({ exit, out }).toEqual({ exit: 2, out: '' })
    expect(err).toMatch(says)
  })

  it('runs as a command', async () => {
    const bin = path.resolve(import.meta.dirname, '../bin/agentm-gates.mjs')
    await inRepository(impure, async (cwd) => {
      await expect(promisify(execFile)(process.execPath, [bin, ...only], { cwd })).rejects.toMatchObject({
        code: 1,
        stdout: expect.stringContaining('pure-folder/clock'),
      })
    })
    const { stdout } = await promisify(execFile)(process.execPath, [bin, '--help'])
    expect(stdout).toMatch(/storage-seam-no-path-leak +no result or property/)
  })
})
