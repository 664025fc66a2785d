/**
 * The checkout a directory lies in: the nearest repository, else the nearest directory that keeps a `.harness/`. Directories
 * above it are not read, so that neither a parent repository nor a shared directory decides for this one.
 */
import { lstat, readdir, readFile, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import type { FilePath } from '@agentm/vault-lock'

export interface FoundCheckout {
  /** Where `.harness/` is: the top of the checkout, or the part of it that has its own `.harness/project.json`. */
  readonly root: FilePath
  /** The repository this is a worktree of; `root` for everything else. */
  readonly main: FilePath
  readonly isRepository: boolean
  /** From the directory up to `root`: where a marker may be. */
  readonly upToRoot: readonly FilePath[]
  /** The same, on to the top of the checkout and to the repository it is a worktree of: where a wish for privacy may be. */
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

/** From the directory upwards, by its real place: a link leads into the checkout it points to. Foreign owners end the way. */
async function directoriesAbove(directory: FilePath): Promise<FilePath[]> {
  const real = await realpath(directory).catch(() => undefined)
  if (real === undefined) return [directory]
  const own = [process.getuid?.(), (await stat(real)).uid]
  const above: FilePath[] = []
  for (let at = dirname(real); at !== dirname(at); at = dirname(at)) {
    // Otherwise anybody who can write there could decide about everything below.
    if (!own.includes((await stat(at)).uid)) break
    above.push(at as FilePath)
  }
  return [directory, ...above]
}

/** As git tells one: a directory with a HEAD, or the file of a worktree or a submodule. */
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

/** Outside repositories: never the home directory, where many programs keep theirs. */
async function keepsHarness(directory: FilePath, home: string): Promise<boolean> {
  if (directory === (await realpath(home).catch(() => home))) return false
  return (await stat(join(directory, '.harness')).catch(() => undefined))?.isDirectory() === true
}

async function hasOwnProject(directory: FilePath): Promise<boolean> {
  return await isThere(join(directory, '.harness', 'project.json'))
}

/** The repository of a worktree, if that one knows it too: a downloaded directory may claim to belong anywhere. */
async function mainOf(worktree: FilePath): Promise<FilePath | undefined> {
  const file = join(worktree, '.git')
  const gitdir = await gitdirIn(file)
  if (gitdir === undefined || basename(dirname(gitdir)) !== 'worktrees') return undefined
  const back = (await textOf(join(gitdir, 'gitdir'))).trim()
  const isKnown = back !== '' && (await realOf(resolve(gitdir, back))) === (await realOf(file))
  const common = dirname(dirname(gitdir))
  // A repository without a checkout of its own has no directory that could speak for it.
  return isKnown && basename(common) === '.git' ? ((await realOf(dirname(common))) as FilePath) : undefined
}

const markers = new Set(['.project-mode', 'active-plan'])

/** State files that an earlier version wrote below the root, and that are no longer read. */
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
