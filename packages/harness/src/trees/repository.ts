/**
 * Where the trees of a folder come from: its git repository, or for a folder without one a private git directory that holds
 * snapshots of it. Everything above works the same with both.
 */
import { createHash } from 'node:crypto'
import { copyFile, lstat, mkdir, realpath, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { git, type GitCall, type GitEnd, parts } from './git.ts'
import { list, TreesError } from './tree-errors.ts'

export interface Repository {
  readonly kind: 'git' | 'snapshot'
  /** The top of the user's tree. */
  readonly top: string
  /** The working folder below the top; empty for the top itself. */
  readonly prefix: string
  /** The directory with objects and branches. */
  readonly gitDir: string
  /** The index of the user's tree, which is only ever read. */
  readonly index: string
  /** Calls git on the repository; with `workTree`, on that tree. */
  git(args: readonly string[], call?: Partial<GitCall>): Promise<GitEnd>
}

/** What a plan starts from. */
export interface Base {
  readonly commit: string
  /** Changed files that the commit does not have. */
  readonly uncommitted: readonly string[]
}

/** Opens the repository of a folder. `root` is where trees are kept. */
export async function openRepository(folder: string, root: string): Promise<Repository> {
  const asked = ['rev-parse', '--path-format=absolute', '--show-toplevel', '--git-common-dir', '--git-path', 'index']
  const found = await git(asked, { at: folder, ok: [0, 128] })
  if (found.code === 0) {
    const [top = '', gitDir = '', index = ''] = found.out.split('\n')
    const prefix = path.relative(top, await realpath(folder))
    return repository({ kind: 'git', top, prefix, gitDir, index })
  }
  if (!found.err.includes('not a git repository')) throw new TreesError(`${folder}: ${found.err}`)
  const top = await realpath(folder)
  const name = createHash('sha256').update(top).digest('hex').slice(0, 16)
  const gitDir = path.join(root, 'folders', `${name}.git`)
  return repository({ kind: 'snapshot', top, prefix: '', gitDir, index: path.join(gitDir, 'index') })
}

function repository(found: Omit<Repository, 'git'>): Repository {
  const { gitDir, kind } = found
  // Snapshots keep every byte.
  const exact = kind === 'snapshot' ? ['-c', 'core.autocrlf=false'] : []
  return {
    ...found,
    git: (args, call = {}) => git([...exact, ...args], { at: call.workTree ?? gitDir, gitDir, ...call }),
  }
}

const skipped = ['node_modules/', '.agentm/']

/** The commit that a plan starts from: the last commit of the repository, or a snapshot of the folder as it is now. */
export async function baseOf(
  repo: Repository,
  { committed, maxSnapshotBytes }: { readonly committed: boolean; readonly maxSnapshotBytes: number },
): Promise<Base> {
  if (repo.kind === 'snapshot') {
    await makePrivate(repo)
    await checkSize(repo, maxSnapshotBytes)
    return { commit: await snapshot(repo, undefined), uncommitted: [] }
  }
  const head = await headOf(repo)
  const status = await git(['status', '--porcelain', '-z', '--no-renames'], { at: repo.top })
  const uncommitted = parts(status.out).map((line) => line.slice(3))
  if (committed || uncommitted.length === 0) return { commit: head, uncommitted }
  return { commit: await snapshot(repo, head), uncommitted: [] }
}

/** The user's last commit; an empty one before the first. For a snapshot, there is none. */
export async function headOf(repo: Repository): Promise<string> {
  // HEAD of the user's own tree, which may be a linked one.
  const { code, out } = await git(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], {
    at: repo.top,
    ok: [0, 1, 128],
  })
  return code === 0
    ? out.trim()
    : commitTree(repo, { tree: await emptyTree(repo), parents: [], message: 'empty', date: '@0 +0000' })
}

async function emptyTree(repo: Repository): Promise<string> {
  return (await repo.git(['mktree'], { stdin: '' })).out.trim()
}

export async function commitTree(
  repo: Repository,
  {
    tree,
    parents,
    message,
    date,
  }: { readonly tree: string; readonly parents: readonly string[]; readonly message: string; readonly date?: string },
): Promise<string> {
  const args = ['commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent])]
  return (await repo.git(args, { stdin: `${message}\n`, ...(date !== undefined && { date }) })).out.trim()
}

/** A commit of the whole tree of the user, made with an index of its own. */
async function snapshot(repo: Repository, parent: string | undefined): Promise<string> {
  return withIndex(repo, async (index) => {
    await repo.git(['add', '--all', '--', '.'], { workTree: repo.top, at: repo.top, index })
    const tree = (await repo.git(['write-tree'], { index })).out.trim()
    if (repo.kind === 'snapshot') {
      await refuseInner(repo, tree)
      // The next snapshot of the folder reads only the files that changed.
      await rename(index, repo.index)
    }
    const message = parent === undefined ? `Snapshot of ${repo.top}` : 'Uncommitted changes'
    return commitTree(repo, { tree, parents: parent === undefined ? [] : [parent], message, date: '@0 +0000' })
  })
}

/** A copy of the user's index for one piece of work. */
export async function withIndex<T>(repo: Repository, work: (index: string) => Promise<T>): Promise<T> {
  const index = path.join(repo.gitDir, `agentm-index-${process.pid}-${(copies += 1)}`)
  try {
    await copyFile(repo.index, index).catch((error: unknown) => {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
    })
    return await work(index)
  } finally {
    await rm(index, { force: true })
    await rm(`${index}.lock`, { force: true })
  }
}

let copies = 0

async function makePrivate({ gitDir }: Repository): Promise<void> {
  await mkdir(path.dirname(gitDir), { recursive: true, mode: 0o700 })
  await git(['init', '--quiet', '--bare', gitDir], { at: path.dirname(gitDir) })
  await mkdir(path.join(gitDir, 'info'), { recursive: true })
  await writeFile(path.join(gitDir, 'info', 'exclude'), `${skipped.join('\n')}\n`)
}

async function checkSize(repo: Repository, most: number): Promise<void> {
  const asked = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate']
  const files = parts((await repo.git(asked, { workTree: repo.top, at: repo.top })).out)
  let bytes = 0
  for (const file of files) {
    bytes += (await lstat(path.join(repo.top, file)).catch(() => undefined))?.size ?? 0
    if (bytes > most)
      throw new TreesError(
        `${repo.top} is no git repository, and a snapshot of it would be larger than ${Math.round(most / 1e6)} MB. Name what to leave out in a ` +
          '.gitignore file there, raise trees.maxSnapshotMb, or let the plan work in the folder itself: trees: none.',
      )
  }
}

/** Git keeps no files of a repository inside another one. */
async function refuseInner(repo: Repository, tree: string): Promise<void> {
  const { out } = await repo.git(['ls-tree', '-r', '-z', tree])
  const inner = parts(out)
    .filter((line) => line.startsWith('160000 '))
    .map((line) => line.slice(line.indexOf('\t') + 1))
  if (inner.length === 0) return
  throw new TreesError(
    `${repo.top} is no git repository, but has some inside, and a snapshot cannot keep their files: ${list(inner)}. Work in one of them, ` +
      'or let the plan work in the folder itself: trees: none.',
  )
}
