/**
 * The files below a directory, in the order of their names. What `.gitignore` files leave out is left out with everything below it,
 * and so are the directories of version control. Links are never followed.
 */
import type { Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { confinedPath } from '../confined-path.ts'
import { ignoreRules, type IgnoreRule, isIgnored } from '../pure/ignore-rules.ts'
import { closedToWriters } from './file-tools-options.ts'
import { readText } from './read-text.ts'

export interface Walk {
  readonly root: string
  /** Where it begins, below the root. */
  readonly directory: string
  /** Whether files that `.gitignore` leaves out are listed, too. */
  readonly ignored: boolean
  readonly signal: AbortSignal
}

/** Paths from the root, with `/`. */
export async function* walkFiles({ root, directory, ignored, signal }: Walk): AsyncGenerator<string> {
  const home = await confinedPath({ root }, '.')
  const start = await confinedPath({ root }, directory)
  const names = path
    .relative(home, start)
    .split(path.sep)
    .filter((name) => name !== '')
  let rules: readonly IgnoreRule[] = []
  if (!ignored)
    for (const depth of names.keys()) rules = [...rules, ...(await rulesIn(home, names.slice(0, depth).join('/')))]
  yield* walkBelow({ home, ignored, signal }, { at: names.join('/'), rules })
}

type Tree = Pick<Walk, 'ignored' | 'signal'> & { readonly home: string }

async function* walkBelow(
  tree: Tree,
  { at, rules: above }: { readonly at: string; readonly rules: readonly IgnoreRule[] },
): AsyncGenerator<string> {
  tree.signal.throwIfAborted()
  const rules = tree.ignored ? above : [...above, ...(await rulesIn(tree.home, at))]
  for (const entry of await entriesOf(tree.home, at)) {
    // In a worktree of git, .git is a file.
    if (closedToWriters.includes(entry.name.toLowerCase())) continue
    const place = at === '' ? entry.name : `${at}/${entry.name}`
    if (isIgnored(rules, { path: place, isDirectory: entry.isDirectory() })) continue
    if (entry.isFile()) yield place
    if (entry.isDirectory()) yield* walkBelow(tree, { at: place, rules })
  }
}

/** Nothing for a directory that became a link, went away, or cannot be read: the others are listed all the same. */
async function entriesOf(home: string, at: string): Promise<readonly Dirent[]> {
  try {
    const wanted = path.join(home, at)
    if ((await confinedPath({ root: home }, at || '.')) !== wanted) return []
    const entries = await readdir(wanted, { withFileTypes: true })
    return entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  } catch (error) {
    if (isFault(error, ['ENOENT', 'ENOTDIR', 'EACCES', 'TOOL_FAILED'])) return []
    throw error
  }
}

const largestRules = 65_536

async function rulesIn(home: string, at: string): Promise<readonly IgnoreRule[]> {
  const name = at === '' ? '.gitignore' : `${at}/.gitignore`
  try {
    return ignoreRules(await readText(path.join(home, name), { name, maxBytes: largestRules }), at)
  } catch (error) {
    // A link, a directory of that name, or a file that is no text holds no rules.
    if (isFault(error, ['ENOENT', 'ENOTDIR', 'EACCES', 'ELOOP', 'TOOL_FAILED'])) return []
    throw error
  }
}

export function isFault(error: unknown, codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code))
}
