import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import ts from 'typescript'
import { afterAll, describe, expect, it } from 'vitest'
import { isSameOutput } from '../install/readme-examples.mjs'
import { compilerOptions, publicApi } from '../public-api.mjs'
import { root } from '../run.mjs'

/** Below the repository, because from there `@agentm/…` is found. */
const cache = path.join(root, 'node_modules/.cache')
mkdirSync(cache, { recursive: true })
const scratch = mkdtempSync(path.join(cache, 'examples-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

const entries = publicApi()
const examples = entries.flatMap((entry) =>
  entry.names
    .filter(({ from }) => from === undefined)
    .flatMap(({ name, examples: codes }) =>
      codes.map((code, index) => ({
        file: `${entry.specifier.slice('@agentm/'.length).replaceAll('/', '-')}-${name}-${index + 1}.ts`,
        code,
      })),
    ),
)
for (const { file, code } of examples) writeFileSync(path.join(scratch, file), `${code}\nexport {}\n`)

it('explains every public name of every package', () => {
  const silent = entries.flatMap((entry) =>
    entry.names
      .filter(({ doc, from }) => doc === '' && (from === undefined || from.startsWith('@agentm/')))
      .map(({ name, file }) => `${entry.specifier} ${name} (${file})`),
  )
  expect(silent).toEqual([])
  expect(entries.flatMap(({ names }) => names).length).toBeGreaterThan(700)
})

it('shows by an example how each function at the root of a package is called', () => {
  const without = entries
    .filter(({ isRoot }) => isRoot)
    .flatMap((entry) =>
      entry.names
        .filter(({ kind, from, examples: codes }) => kind === 'function' && from === undefined && codes.length === 0)
        .map(({ name, file }) => `${entry.specifier} ${name} (${file})`),
    )
  expect(without).toEqual([])
})

describe('the examples of doc comments', () => {
  it('compile as strict TypeScript against the packages', () => {
    const program = ts.createProgram(
      examples.map(({ file }) => path.join(scratch, file)),
      // As users do: against what was built, not against the sources.
      { ...compilerOptions(), customConditions: [], noUnusedLocals: false },
    )
    const faults = examples.flatMap(({ file }) => {
      const source = program.getSourceFile(path.join(scratch, file))
      return ts
        .getPreEmitDiagnostics(program, source)
        .map(({ messageText }) => `${file}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`)
    })
    expect(faults).toEqual([])
    expect(examples.length).toBeGreaterThan(150)
  })

  it('print what their comments say they print', () => {
    const said = examples.map(({ file, code }) => ({ file, code, expected: printedBy(code) })).filter(runs)
    const printed = runAll(said)
    const faults = said.filter(({ file, expected }) => !isSameOutput(printed[file] ?? '(did not run)', expected))
    expect(faults.map(({ file, expected }) => ({ file, expected, printed: printed[file] }))).toEqual([])
    expect(said.length).toBeGreaterThan(100)
  })
})

function runs({ expected }: { readonly expected: string }): boolean {
  return expected !== ''
}

/** What stands behind `console.log(…)` on its line, and in comment lines right below it. */
function printedBy(code: string): string {
  const lines = code.split('\n')
  return lines
    .flatMap((line, index) => {
      const [, said] = /console\.log\(.*\/\/ (.+)$/.exec(line) ?? []
      const [, more] = /^\/\/ (.+)$/.exec(line) ?? []
      if (said !== undefined) return [said]
      return more !== undefined && (lines[index - 1] ?? '').includes('console.log') ? [more] : []
    })
    .join('\n')
}

/** All in one process with a home of its own, one after another. */
function runAll(said: readonly { readonly file: string; readonly code: string }[]): Record<string, string> {
  for (const { file, code } of said) {
    const options = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023, verbatimModuleSyntax: true }
    writeFileSync(
      path.join(scratch, file.replace(/ts$/, 'mjs')),
      ts.transpileModule(code, { compilerOptions: options }).outputText,
    )
  }
  const urls = said.map(({ file }) => [file, pathToFileURL(path.join(scratch, file.replace(/ts$/, 'mjs'))).href])
  writeFileSync(path.join(scratch, 'all.mjs'), runner(JSON.stringify(urls)))
  const env = {
    ...process.env,
    HOME: scratch,
    XDG_CACHE_HOME: path.join(scratch, 'cache'),
    TMPDIR: scratch,
    NODE_NO_WARNINGS: '1',
  }
  const { stdout, stderr } = spawnSync(process.execPath, [path.join(scratch, 'all.mjs')], {
    cwd: scratch,
    env,
    encoding: 'utf8',
  })
  if (stdout === '') throw new Error(stderr)
  return JSON.parse(stdout)
}

function runner(urls: string): string {
  return `import { format } from 'node:util'
const printed = {}
for (const [file, url] of ${urls}) {
  const lines = []
  console.log = (...words) => lines.push(format(...words))
  try { await import(url) } catch (error) { lines.push(String(error)) }
  printed[file] = lines.join('\\n')
}
process.stdout.write(JSON.stringify(printed), () => process.exit(0))
`
}

function named(name: string) {
  return entries.flatMap(({ names }) => names).find((one) => one.name === name)
}

describe('a declaration in the reference', () => {
  it('has the members a caller sees, and no bodies', () => {
    const text = named('Locator')?.declaration ?? ''
    expect(text).toContain('child(...parts: readonly string[]): Locator')
    expect(text).not.toMatch(/#|private|return /)
  })

  it('says what a type is that is worked out from a schema', () => {
    expect(named('Plan')?.declaration).toMatch(/^ {2}status: ('\w+' \| ){4}'\w+'$/m)
  })

  it('comes with what it takes, where nobody can import that', () => {
    const mentioned = named('openHarness')?.mentioned.map(({ name }) => name)
    expect(mentioned).toEqual(expect.arrayContaining(['HarnessOptions', 'Who']))
  })
})

it('leaves out entries that say they are internal', () => {
  const specifiers = entries.map(({ specifier }) => specifier)
  expect(specifiers).toContain('@agentm/nodes/store-kit')
  expect(specifiers).not.toContain('@agentm/agent-loop/internal')
  expect(specifiers).not.toContain('@agentm/backend-vault/personal')
})
