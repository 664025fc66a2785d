/** Commands of this repository, called as somebody calls them who does not know them. */
import { execFile } from 'node:child_process'
import path from 'node:path'
import { expect, it } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')

interface Ran {
  readonly code: unknown
  readonly out: string
  readonly err: string
}

async function ran(line: string): Promise<Ran> {
  const [file = '', ...args] = line.split(' ')
  return new Promise((resolve) => {
    execFile(process.execPath, [path.join(root, 'tools', file), ...args], (error, out, err) =>
      resolve({ code: error?.code ?? 0, out, err }),
    )
  })
}

const commands = [
  'bench/main.mjs',
  'eval/main.mjs',
  'eval/main.mjs recall',
  'eval/main.mjs thresholds',
  'simulator/main.mjs',
]

it.each(commands)('%s --help says how it is called, and does nothing', { timeout: 60_000 }, async (command) => {
  const { code, out, err } = await ran(`${command} --help`)
  expect([code, err]).toEqual([0, ''])
  expect(out).toMatch(/npm run \w+ -- .*\[.+\]/)
})

it.each<readonly [line: string, said: string]>([
  ['bench/main.mjs --bogus', "Unknown option '--bogus'. See npm run bench -- --help."],
  ['bench/main.mjs nosuch', 'no benchmark is called nosuch; there are: '],
  ['bench/main.mjs storage --repeats many', '--repeats takes a whole number from 1 on, not "many".'],
  ['bench/main.mjs storage --scale 0', '--scale takes a number from 0.001 on, not "0".'],
  ['bench/main.mjs recall --data nowhere', 'there is no labelled data in nowhere.'],
  ['eval/main.mjs', 'name an evaluation; there are: '],
  ['eval/main.mjs nosuch', 'no evaluation is called nosuch; there are: '],
  ['simulator/main.mjs --bogus', "Unknown option '--bogus'. See npm run simulate -- --help."],
  ['simulator/main.mjs word', "Unexpected argument 'word'. See npm run simulate -- --help."],
  ['simulator/main.mjs --scenario nosuch', 'there is no scenario nosuch; there are '],
  ['simulator/main.mjs --scenario constructor', 'there is no scenario constructor; there are '],
  ['simulator/main.mjs --seeds', "Option '--seeds <value>' argument missing."],
  ['simulator/main.mjs --planted nosuch', 'no planted bug is called nosuch; '],
  ['simulator/main.mjs --seeds 0', '--seeds takes a whole number from 1 on, not "0".'],
])('%s is refused in one line, with exit code 2', { timeout: 60_000 }, async (line, said) => {
  const { code, out, err } = await ran(line)
  expect([code, out]).toEqual([2, ''])
  expect(err).toContain(said)
  expect(err.trimEnd().split('\n')).toHaveLength(1)
})
