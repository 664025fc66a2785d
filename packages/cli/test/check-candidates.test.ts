import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { protectedFiles } from '@agentm/harness'
import { commandLine } from '@agentm/harness/control'
import { checkCandidates, usuallyProtected } from '../src/checks/pure/check-candidates.ts'
import { commandWords } from '../src/checks/pure/command-words.ts'

const scripts = (given: Readonly<Record<string, unknown>>) => JSON.stringify({ scripts: given })

it.each<readonly [what: string, files: Readonly<Record<string, string>>, commands: readonly string[]]>([
  [
    'scripts of package.json, in a fixed order',
    { 'package.json': scripts({ build: 'tsc', test: 'vitest', start: 'node .', lint: 'eslint' }) },
    ['npm run test', 'npm run lint', 'npm run build'],
  ],
  [
    'with the package manager of the lock file',
    { 'package.json': scripts({ test: 'jest' }), 'pnpm-lock.yaml': '' },
    ['pnpm run test'],
  ],
  ['no placeholder', { 'package.json': scripts({ test: 'echo "Error: no test specified" && exit 1' }) }, []],
  ['nothing of a broken package.json', { 'package.json': '{' }, []],
  [
    'targets of a Makefile',
    { Makefile: 'CHECK := 1\nall: test\n\ntest: build\n\tcc\ncheck:\n' },
    ['make test', 'make check'],
  ],
  ['pytest', { 'pyproject.toml': '[tool.pytest.ini_options]' }, ['python -m pytest']],
  ['no pytest without a sign of it', { 'pyproject.toml': '[project]' }, []],
  ['Cargo and Go', { 'Cargo.toml': '', 'go.mod': '' }, ['cargo test', 'go test ./...']],
])('finds what checks a repository: %s', (_, files, commands) => {
  expect(checkCandidates(new Map(Object.entries(files))).map(commandLine)).toEqual(commands)
})

it.each<readonly [line: string, words: readonly string[]]>([
  ['npm test', ['npm', 'test']],
  ['  node  --test  "my tests"/a.js ', ['node', '--test', 'my tests/a.js']],
  [`sh -c 'a && b | c'`, ['sh', '-c', 'a && b | c']],
  [String.raw`grep "a \"b\"" c\ d`, ['grep', 'a "b"', 'c d']],
  [`echo ''`, ['echo', '']],
])('divides %s into words', (line, words) => {
  expect(commandWords(line)).toEqual(words)
})

it.each([
  ['npm test && npm run lint', 'needs a shell'],
  ['node x > y', 'needs a shell'],
  ['echo "a', 'never closed'],
  ['  ', 'it is empty'],
])('refuses %s', (line, why) => {
  expect(commandWords(line)).toMatchObject({ problem: expect.stringContaining(why) })
})

it('protects tests and what runs them, and no source', async () => {
  const directory = await mkdtemp(path.join(tmpdir(), 'agentm-protected-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const files = {
    'src/sum.js': '',
    'src/sum.test.js': '',
    'src/__tests__/deep/a.js': '',
    'test/b.mjs': '',
    'contest/c.js': '',
    'node_modules/x/test/d.js': '',
    'pkg/sum_test.go': '',
    'tests_of.txt': '',
    'test_sum.py': '',
    'package.json': scripts({ test: 'node --test' }),
    Makefile: 'test:',
  }
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(directory, name)), { recursive: true })
    await writeFile(path.join(directory, name), text)
  }
  expect(Object.keys(await protectedFiles(directory, usuallyProtected)).toSorted((a, b) => a.localeCompare(b))).toEqual(
    [
      'Makefile',
      'package.json#scripts',
      'pkg/sum_test.go',
      'src/__tests__/deep/a.js',
      'src/sum.test.js',
      'test_sum.py',
      'test/b.mjs',
    ].toSorted((a, b) => a.localeCompare(b)),
  )
})
