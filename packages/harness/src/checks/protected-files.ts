/**
 * Fingerprints of the files that a step must leave as they are. They are compared, not restored: whatever happened to such a file,
 * its owner sees it, and whoever changed it is told to put it back.
 */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { globPattern } from './pure/glob-pattern.ts'

/** By name, relative to the directory and with `/`. `package.json#scripts` is the name of one part of a JSON file. */
export type ProtectedFiles = Readonly<Record<string, string>>

/** Never walked: their content is made by tools. */
const skipped: ReadonlySet<string> = new Set(['.git', '.hg', '.svn', 'node_modules'])
/** Each is stored with the plan. */
const mostFiles = 5000

/**
 * The files of a directory that patterns name, as they are now. A pattern is `test/**`, `*.lock`, or `package.json#scripts` for one
 * part of a JSON file.
 *
 * @example
 * ```ts
 * import { protectedFiles } from '@agentm/harness'
 * import { mkdtemp, writeFile } from 'node:fs/promises'
 * import { tmpdir } from 'node:os'
 * import path from 'node:path'
 *
 * const directory = await mkdtemp(path.join(tmpdir(), 'acme-'))
 * await writeFile(path.join(directory, 'sum.test.js'), 'test("sum", …)')
 * console.log(Object.keys(await protectedFiles(directory, ['*.test.js']))) // [ 'sum.test.js' ]
 * ```
 */
export async function protectedFiles(directory: string, patterns: readonly string[]): Promise<ProtectedFiles> {
  const whole = patterns.filter((pattern) => !pattern.includes('#')).map(globPattern)
  const names = whole.length === 0 ? [] : await filesBelow(directory)
  const found = names.filter((name) => whole.some((pattern) => pattern.test(name)))
  if (found.length > mostFiles)
    throw new Error(`the check protects ${found.length} files, and at most ${mostFiles} are possible. Name fewer files`)
  const entries: (readonly [string, string])[] = []
  for (const name of found) entries.push([name, hash(await readFile(path.join(directory, name)))])
  for (const pattern of patterns.filter((each) => each.includes('#'))) {
    const part = await partOf(directory, pattern)
    if (part !== undefined) entries.push([pattern, hash(part)])
  }
  return Object.fromEntries(entries)
}

/** The names of protected files that differ, each with what happened to it. */
export async function changedFiles(directory: string, before: ProtectedFiles): Promise<readonly string[]> {
  const changed: string[] = []
  for (const [name, fingerprint] of Object.entries(before)) {
    const now = name.includes('#') ? await partOf(directory, name) : await contentOf(path.join(directory, name))
    if (now === undefined) changed.push(`${name} (deleted)`)
    else if (hash(now) !== fingerprint) changed.push(`${name} (changed)`)
  }
  return changed
}

async function filesBelow(directory: string): Promise<readonly string[]> {
  const found: string[] = []
  const walk = async (below: string): Promise<void> => {
    for (const entry of await readdir(path.join(directory, below), { withFileTypes: true })) {
      const name = below === '' ? entry.name : `${below}/${entry.name}`
      if (entry.isDirectory() && !skipped.has(entry.name)) await walk(name)
      else if (entry.isFile()) found.push(name)
    }
  }
  await walk('')
  return found.toSorted()
}

/** The part of a JSON file, as text that does not depend on how the file is laid out; `undefined` if it is not there. */
async function partOf(directory: string, pattern: string): Promise<string | undefined> {
  const at = pattern.indexOf('#')
  const text = await contentOf(path.join(directory, pattern.slice(0, at)))
  if (text === undefined) return undefined
  try {
    const value: unknown = JSON.parse(text.toString('utf8'))
    const part = typeof value === 'object' && value !== null ? Reflect.get(value, pattern.slice(at + 1)) : undefined
    return part === undefined ? undefined : JSON.stringify(part)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

async function contentOf(file: string): Promise<Buffer | undefined> {
  try {
    return await readFile(file)
  } catch (error) {
    // A directory in place of the file is a deleted file, too.
    if (error instanceof Error && 'code' in error && ['ENOENT', 'ENOTDIR', 'EISDIR'].includes(String(error.code)))
      return undefined
    throw error
  }
}

function hash(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 32)
}
