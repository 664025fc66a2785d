/**
 * Finds the checkout that a directory is in: the nearest repository, otherwise the nearest directory with a `.harness/`.
 * Directories above it are not read, so that no parent repository and no shared directory affects this one.
 */
import { lstat, readdir, readFile, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import type { FilePath } from '@agentm/vault-lock'

export interface FoundCheckout {
  /** The directory with `.harness/`: the top of the checkout, or a part of it with its own `.harness/project.json`. */
  readonly root: FilePath
  /** The main repository if this is a worktree; otherwise `root`. */
  readonly main: FilePath
  readonly isRepository: boolean
  /** The directories from the given one up to `root`. A plan marker may be in any of them. */
  readonly upToRoot: readonly FilePath[]
  /** The same, continued to the top of the checkout and to the main repository of a worktree. A state mode marker may be in any of them. */
  readonly upToTop: readonly FilePath[]
  readonly notices: readonly string[]
}

/** Both may be relative to the working directory. */
export async function findCheckout(from: string, homeOfUser: string): Promise<FoundCheckout> {
  const [directory, home] = [resolve(from) as FilePath, resolve(homeOfUser)]
  const above = await directoriesAbove(directory)
  const git = await firstOf(above, isRepository)
  const top = git ?? (await firstOf(above, (each) => keepsHarness(each, home)))
  const inside = above.slice(0, above.indexOf(top ?? directory) + 1)
  const root = (await firstOf(inside, hasOwnProject)) ?? top ?? directory
  const upToRoot = inside.slice(0, inside.indexOf(root) + 1)
  const main = git === undefined ? undefined : await mainOf(git)
  return {
    root,
    main: root === git ? (main ?? root) : root,
    isRepository: git !== undefined,
    upToRoot,
    upToTop: main === undefined ? inside : [...inside, main],
    notices: await leftBelow(upToRoot),
  }
}

/** The directories from the given one upwards, with links resolved. The list ends at a directory that another user owns. */
async function directoriesAbove(directory: FilePath): Promise<FilePath[]> {
  const real = await realpath(directory).catch(() => undefined)
  if (real === undefined) return [directory]
  const own = [process.getuid?.(), (await stat(real)).uid]
  const above: FilePath[] = []
  for (let at = dirname(real); at !== dirname(at); at = dirname(at)) {
    // Otherwise anybody who can write there could control everything below.
    if (!own.includes((await stat(at)).uid)) break
    above.push(at as FilePath)
  }
  return [directory, ...above]
}

/** Whether git would treat the directory as a repository: it has a `.git` with a HEAD, or the `.git` file of a worktree or submodule. */
async function isRepository(directory: FilePath): Promise<boolean> {
  const git = join(directory, '.git')
  const found = await stat(git).catch(() => undefined)
  if (found === undefined) return false
  if (found.isDirectory()) return await isThere(join(git, 'HEAD'))
  return (await gitdirIn(git)) !== undefined
}

async function gitdirIn(file: string): Promise<string | undefined> {
  const [, named] = /^gitdir: (.+?)\r?\n?$/.exec(await textOf(file)) ?? []
  return named === undefined ? undefined : resolve(dirname(file), named)
}

/**
 * Whether a directory outside of repositories has a `.harness/`. The home directory never counts, because many programs keep files
 * there.
 */
async function keepsHarness(directory: FilePath, home: string): Promise<boolean> {
  if (directory === (await realpath(home).catch(() => home))) return false
  return (await stat(join(directory, '.harness')).catch(() => undefined))?.isDirectory() === true
}

async function hasOwnProject(directory: FilePath): Promise<boolean> {
  return await isThere(join(directory, '.harness', 'project.json'))
}

/** The main repository of a worktree, if it also lists the worktree. A downloaded directory may falsely claim to be one. */
async function mainOf(worktree: FilePath): Promise<FilePath | undefined> {
  const file = join(worktree, '.git')
  const gitdir = await gitdirIn(file)
  if (gitdir === undefined || basename(dirname(gitdir)) !== 'worktrees') return undefined
  const back = (await textOf(join(gitdir, 'gitdir'))).trim()
  const isKnown = back !== '' && (await realOf(resolve(gitdir, back))) === (await realOf(file))
  const common = dirname(dirname(gitdir))
  // A bare repository has no directory with settings.
  return isKnown && basename(common) === '.git' ? ((await realOf(dirname(common))) as FilePath) : undefined
}

const markers = new Set(['.project-mode', 'active-plan'])

/** State files that an earlier version wrote below the root and that are no longer read. */
async function leftBelow(upToRoot: readonly FilePath[]): Promise<string[]> {
  const root = upToRoot.at(-1) ?? ''
  const left: string[] = []
  for (const each of upToRoot.slice(0, -1)) {
    const names = await readdir(join(each, '.harness')).catch((): string[] => [])
    if (names.some((name) => !markers.has(name)))
      left.push(
        `${join(relative(root, await realOf(each)), '.harness')} is not read: the state of this checkout is in .harness at its root. ` +
          'Move there what you still need',
      )
  }
  return left
}

async function firstOf(
  directories: readonly FilePath[],
  holds: (directory: FilePath) => Promise<boolean>,
): Promise<FilePath | undefined> {
  for (const each of directories) if (await holds(each)) return each
  return undefined
}

async function textOf(file: string): Promise<string> {
  return await readFile(file, 'utf8').catch(() => '')
}

async function realOf(path: string): Promise<string> {
  return await realpath(path).catch(() => path)
}

async function isThere(path: string): Promise<boolean> {
  return await lstat(path).then(
    () => true,
    () => false,
  )
}
