/** What somebody is told who calls a command wrong: one line, what to type instead, and exit code 2. */
import { expect, it } from 'vitest'
import { plain } from '../src/colours.ts'
import { main } from '../src/main.ts'
import { reportedError } from '../src/report-error.ts'
import { nearest } from '../src/pure/nearest.ts'
import { table } from '../src/command-table.ts'

async function said(
  words: readonly string[],
): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  let [out, err] = ['', '']
  const terminal = {
    ...plain,
    onErrors: plain,
    isInteractive: false,
    width: undefined,
    columns: undefined,
    out: (text: string) => void (out += text),
    say: (text: string) => void (out += text),
    err: (text: string) => void (err += text),
    ask: async () => '',
    readInput: async () => '',
  }
  const code = await main(words, { cwd: '/', env: {}, terminal })
  return { code, out, err }
}

it.each<readonly [line: string, said: string, next: string]>([
  ['bogus', '"bogus" is not a command.', 'agentm help'],
  ['stauts', '"stauts" is not a command. Did you mean status?', 'agentm help'],
  ['plan', '"plan" is not a command. There are: agentm plan new, agentm plan fork, agentm plan diff.', 'agentm help'],
  [
    'beliefs lost',
    'agentm beliefs does not take "lost". There are: agentm beliefs list, agentm beliefs show,',
    'agentm beliefs --help',
  ],
  [
    'worker --bogus',
    'agentm worker has no option --bogus. It takes --slots, --grace, --metrics, --log, --once, --cwd, --json, --help.',
    'agentm worker --help',
  ],
  ['worker --slot 3', 'agentm worker has no option --slot. Did you mean --slots?', 'agentm worker --help'],
  ['worker --slots', '--slots needs a value: --slots N.', 'agentm worker --help'],
  ['worker --once=yes', '--once takes no value.', 'agentm worker --help'],
  ['run', 'agentm run needs PLAN.', 'agentm run --help'],
  ['recall', 'agentm recall needs TEXT …', 'agentm recall --help'],
  ['config set owner', 'agentm config set needs KEY VALUE.', 'agentm config set --help'],
  ['status one two', 'agentm status does not take "two".', 'agentm status --help'],
  ['help nosuch', 'there is no command "nosuch".', 'agentm help'],
])('agentm %s', async (line, expected, next) => {
  const { code, out, err } = await said(line.split(' '))
  expect([code, out]).toEqual([2, ''])
  expect(err).toContain(`agentm: ${expected}`)
  expect(err).toContain(`[USAGE]\n  try: ${next}\n`)
  expect(err.trimEnd().split('\n')).toHaveLength(2)
})

it.each(table.map(({ name }) => [name] as const))('agentm %s --help says how it is called', async (name) => {
  const { code, out, err } = await said([...name.split(' '), '--help'])
  expect([code, err]).toEqual([0, ''])
  expect(out).toContain(`Usage: agentm ${name}`)
  expect(out).toContain('--json')
})

it('finds the word that was meant, and none where nothing is near', () => {
  expect(nearest('confg', ['config', 'conflicts'])).toBe('config')
  expect(nearest('rnu', ['run'])).toBe('run')
  expect(nearest('dx', ['do'])).toBeUndefined()
  expect(nearest('everything', ['eval'])).toBeUndefined()
})

it('is recognised by its code, because another copy of these files has its own class', () => {
  const foreign = Object.assign(new Error('no'), { code: 'USAGE' })
  expect(reportedError(foreign)).toMatchObject({ code: 'USAGE', next: 'agentm help' })
  expect(reportedError(Object.assign(foreign, { next: 'agentm run --help' }))).toMatchObject({
    next: 'agentm run --help',
  })
})
