/** Completion, as a person meets it: in a real shell, where that shell is installed. */
import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { completionOf } from '../src/pure/completion-of.ts'
import { CliWorld } from './cli-world.ts'

const run = promisify(execFile)
const agentm = fileURLToPath(new URL('../bin/agentm.mjs', import.meta.url))

const definition = { takes: 'PLAN [WORD...]', options: { slots: { value: 'N', help: '' }, wait: { help: '' } } }
const known = { names: ['run', 'config get', 'config set', 'config'], command: { name: 'run', definition } }

it.each<readonly [typed: readonly string[], expected: unknown]>([
  [[''], { words: ['run', 'config'] }],
  [['config', ''], { words: ['get', 'set'] }],
])('completes the words of commands: %j', (typed, expected) => {
  expect(completionOf(typed, { ...known, command: undefined })).toEqual(expected)
})

it.each<readonly [typed: readonly string[], expected: unknown]>([
  [['run', '--'], { words: ['--slots', '--wait', '--json', '--help'] }],
  [['run', '--slots', ''], { words: [], wanted: { placeholder: 'N', command: 'run', before: [] } }],
  [['run', '--slots', '2', ''], { words: [], wanted: { placeholder: 'PLAN', command: 'run', before: [] } }],
  [['run', '--wait', 'p', ''], { words: [], wanted: { placeholder: 'WORD', command: 'run', before: ['p'] } }],
])('completes options and arguments: %j', (typed, expected) => {
  expect(completionOf(typed, known)).toEqual(expected)
})

it('completes settings, their values, hosts, plans, notes and options from what is there', async () => {
  const world = await CliWorld.forThisTest()
  const complete = async (...words: readonly string[]) =>
    (await world.agentm(['complete', '--', ...words])).out.split('\n').filter((word) => word !== '')
  expect(await complete('run', '')).toEqual([])
  await world.agentm(['save', 'Staging listens on port 5433'])
  await world.agentm(
    ['plan', 'new', '--steps', '-', '--id', 'release-1'],
    'goal: g\nsteps: [{ key: ok, kind: approval }]',
  )
  expect(await complete('config', 'set', 'storage.b')).toEqual(['storage.backend'])
  expect(await complete('config', 'set', 'tools.files', '')).toEqual(['off', 'read', 'write'])
  expect(await complete('init', '--host', 'c')).toEqual(['claude-code', 'claude-desktop', 'codex', 'cursor'])
  expect(await complete('run', 'rel')).toEqual(['release-1'])
  expect(await complete('run', '--sl')).toEqual(['--slots'])
  expect(await complete('notes', 'show', 'projects/')).toEqual(['projects/acme/note/staging-listens-on-port-5433.md'])
  expect(await complete('inb')).toEqual(['inbox'])
})

const shells = {
  bash: `eval "$(agentm completion bash)"; COMP_WORDS=(agentm config set storage.b); COMP_CWORD=3; _agentm; echo "\${COMPREPLY[@]}"
COMP_WORDS=(agentm run ''); COMP_CWORD=2; _agentm; echo "\${COMPREPLY[@]}"`,
  zsh: `compdef() { :; }; compadd() { shift; print -r -- "$@"; }; _files() { print files; }
eval "$(agentm completion zsh)"; words=(agentm config set storage.b); CURRENT=4; _agentm
words=(agentm run ''); CURRENT=3; _agentm`,
  fish: `agentm completion fish | source; complete -C 'agentm config set storage.b'; complete -C 'agentm run '`,
}

it.for(Object.entries(shells))('completes at a prompt of %s', async ([shell, script], { skip }) => {
  if (!(await isInstalled(shell))) skip(`${shell} is not installed`)
  const world = await CliWorld.forThisTest()
  await world.agentm(
    ['plan', 'new', '--steps', '-', '--id', 'release-1'],
    'goal: g\nsteps: [{ key: ok, kind: approval }]',
  )
  const bin = path.join(world.home, 'bin')
  await mkdir(bin)
  await writeFile(path.join(bin, 'agentm'), `#!/bin/sh\nexec '${process.execPath}' '${agentm}' "$@"\n`, {
    mode: 0o755,
  })
  const env = {
    PATH: `${bin}:${process.env['PATH']}`,
    HOME: world.home,
    XDG_CACHE_HOME: path.join(world.home, '.cache'),
  }
  const { stdout } = await run(shell, ['-c', script], { cwd: world.repo, env })
  expect(stdout.trim().split('\n')).toEqual(['storage.backend', 'release-1'])
})

async function withPages() {
  const world = await CliWorld.forThisTest()
  await world.agentm(['manual', '--man', 'man'])
  const directory = path.join(world.repo, 'man')
  return { directory, pages: await readdir(directory) }
}

it('writes a page for man(1) for every command, which npm installs', async () => {
  const { pages } = await withPages()
  expect(pages).toEqual(expect.arrayContaining(['agentm.1', 'agentm-run.1', 'agentm-config-set.1']))
  const { man } = JSON.parse(await readFile(path.resolve(import.meta.dirname, '../package.json'), 'utf8')) as {
    man: string[]
  }
  expect(man.map((file) => path.basename(file)).toSorted()).toEqual(pages.toSorted())
})

it('writes pages that groff prints without a warning', async ({ skip }) => {
  if (!(await isInstalled('groff'))) skip('groff is not installed')
  const { directory, pages } = await withPages()
  const { stdout, stderr } = await run('groff', ['-man', '-ww', '-Tutf8', ...pages], { cwd: directory })
  expect(stderr).toBe('')
  expect(stdout).toContain('agentm-config-set - change one setting\n')
})

async function isInstalled(program: string): Promise<boolean> {
  return run('which', [program]).then(
    () => true,
    () => false,
  )
}
