/** What could check the work in a repository: its own scripts and the usual commands of its language. */
import type { CheckCommand } from '@agentm/harness/control'

/** The files that say it, by name. A file that is there and was not read has an empty text. */
export type RepositoryFiles = ReadonlyMap<string, string>

/** The names of the files that `checkCandidates` looks at. */
export const tellingFiles = [
  'package.json',
  'pnpm-lock.yaml',
  'yarn.lock',
  'bun.lock',
  'bun.lockb',
  'Makefile',
  'pyproject.toml',
  'pytest.ini',
  'tox.ini',
  'conftest.py',
  'Cargo.toml',
  'go.mod',
] as const

/** Tests, and what says how they are run. An agent that may change these can make any check pass. */
export const usuallyProtected: readonly string[] = [
  '**/*.test.*',
  '**/*.spec.*',
  '**/{test,tests,__tests__,spec}/**',
  '**/{test_*,*_test}.{py,go}',
  'package.json#scripts',
  '{Makefile,pytest.ini,tox.ini,conftest.py}',
]

const scripts = ['test', 'lint', 'typecheck', 'build'] as const

export function checkCandidates(files: RepositoryFiles): readonly CheckCommand[] {
  return [
    ...ofPackage(files),
    ...ofMakefile(files.get('Makefile')),
    ...(isPython(files) ? [{ command: 'python', args: ['-m', 'pytest'] }] : []),
    ...(files.has('Cargo.toml') ? [{ command: 'cargo', args: ['test'] }] : []),
    ...(files.has('go.mod') ? [{ command: 'go', args: ['test', './...'] }] : []),
  ]
}

function ofPackage(files: RepositoryFiles): readonly CheckCommand[] {
  const known = scriptsOf(files.get('package.json'))
  const command = managerOf(files)
  return scripts
    .filter((name) => known[name] !== undefined && !isPlaceholder(known[name]))
    .map((name) => ({ command, args: ['run', name] }))
}

function scriptsOf(text: string | undefined): Readonly<Record<string, string>> {
  try {
    const value: unknown = JSON.parse(text ?? '{}')
    const found: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, 'scripts') : undefined
    if (typeof found !== 'object' || found === null) return {}
    return Object.fromEntries(Object.entries(found).filter(([, script]) => typeof script === 'string'))
  } catch {
    // A broken package.json names no scripts. Whoever works on it sees the fault.
    return {}
  }
}

/** What `npm init` writes. It always fails. */
function isPlaceholder(script: string): boolean {
  return script.includes('no test specified')
}

function managerOf(files: RepositoryFiles): string {
  if (files.has('pnpm-lock.yaml')) return 'pnpm'
  if (files.has('yarn.lock')) return 'yarn'
  return files.has('bun.lock') || files.has('bun.lockb') ? 'bun' : 'npm'
}

function ofMakefile(text = ''): readonly CheckCommand[] {
  const targets = text.split('\n').flatMap((line) => /^([\w-]+)\s*:(?!=)/u.exec(line)?.[1] ?? [])
  return ['test', 'check'].filter((name) => targets.includes(name)).map((name) => ({ command: 'make', args: [name] }))
}

function isPython(files: RepositoryFiles): boolean {
  if (files.has('pytest.ini') || files.has('conftest.py')) return true
  return /\bpytest\b/u.test(`${files.get('pyproject.toml') ?? ''}${files.get('tox.ini') ?? ''}`)
}
