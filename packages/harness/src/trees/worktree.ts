/** One tree on the disk: a git worktree with a branch. A tree that was half made by a process that died is made again. */
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { parts } from './git.ts'
import { linkIgnored, type Linking } from './link-ignored.ts'
import { withRefLock } from './ref-lock.ts'
import { commitTree, type Repository } from './repository.ts'
import { TreesError } from './tree-errors.ts'

export interface TreePlace {
  readonly repo: Repository
  readonly directory: string
  readonly branch: string
}

/** What stands beside a tree that is complete. */
export interface ReadyTree {
  /** Links into the user's folder, relative to the top. They are no part of the work. */
  readonly links: readonly string[]
  /** The words of the trees whose changes it began with. */
  readonly includes: readonly string[]
}

export async function readReady({ directory }: TreePlace): Promise<ReadyTree | undefined> {
  const text = await readFile(readyFile(directory), 'utf8').catch(() => undefined)
  // The file is written in one go after everything else; a part of it, after a power failure, counts as none.
  try {
    return text === undefined ? undefined : (JSON.parse(text) as ReadyTree)
  } catch {
    return undefined
  }
}

export async function makeTree(
  place: TreePlace,
  {
    start,
    includes,
    linking,
  }: { readonly start: string; readonly includes: readonly string[]; readonly linking: Linking },
): Promise<ReadyTree> {
  const { repo, directory, branch } = place
  await mkdir(path.dirname(directory), { recursive: true, mode: 0o700 })
  await oneByOne(repo, async () => {
    await removeTree(place)
    await rm(path.join(repo.gitDir, 'refs', 'heads', `${branch}.lock`), { force: true })
    await repo.git(['worktree', 'add', '--quiet', '--no-track', '--no-checkout', '-B', branch, directory, start])
  })
  const admin = await adminOf(place)
  if (admin === undefined) throw new TreesError(`${directory} was removed while it was made. Run the plan again.`)
  await repo.git(['reset', '--quiet', '--hard'], { at: directory, gitDir: admin, workTree: directory })
  await copyFile(path.join(admin, 'index'), indexFile(directory))
  const links = await linkIgnored(repo, { directory, linking })
  await writeFile(readyFile(directory), JSON.stringify({ links, includes }))
  return { links, includes }
}

/** Removes the tree, and what git remembers of it. The branch stays. */
export async function removeTree({ repo, directory }: TreePlace): Promise<void> {
  await rm(readyFile(directory), { force: true })
  await rm(indexFile(directory), { force: true })
  await rm(directory, { recursive: true, force: true, maxRetries: 3 })
  await forgetTrees(repo, (place) => place === directory)
}

/**
 * Removes what git remembers of such trees. `git worktree prune` would also forget trees of the user that are on a drive which is not
 * mounted now.
 */
export async function forgetTrees({ gitDir }: Repository, isGone: (directory: string) => boolean): Promise<void> {
  const all = path.join(gitDir, 'worktrees')
  for (const name of await readdir(all).catch(() => [])) {
    const known = await readFile(path.join(all, name, 'gitdir'), 'utf8').catch(() => undefined)
    if (known !== undefined && isGone(path.dirname(known.trim())))
      await rm(path.join(all, name), { recursive: true, force: true })
  }
}

/** After a process died while git worked on the tree: its lock would refuse every later call. */
export async function unlock({ repo, directory, branch }: TreePlace): Promise<void> {
  const admin = await adminOf({ repo, directory })
  if (admin !== undefined)
    for (const name of ['index.lock', 'HEAD.lock']) await rm(path.join(admin, name), { force: true })
  await rm(`${indexFile(directory)}.lock`, { force: true })
  await rm(path.join(repo.gitDir, 'refs', 'heads', `${branch}.lock`), { force: true })
}

/**
 * Commits what the tree holds on its branch; the commit it already has if nothing changed. Nothing that git keeps in the tree is used,
 * because the programs of a step can write there: another configuration would run programs of theirs outside of a sandbox.
 */
export async function commitAll(
  { repo, directory, branch }: TreePlace,
  { ready, start, message }: { readonly ready: ReadyTree; readonly start: string; readonly message: string },
): Promise<string> {
  const inTree = { at: directory, workTree: directory, index: indexFile(directory) }
  await rm(`${inTree.index}.lock`, { force: true })
  const except = ready.links.map((link) => `:(exclude,literal)${link}`)
  await repo.git(['add', '--all', '--', '.', ...except], inTree)
  const tree = (await repo.git(['write-tree'], inTree)).out.trim()
  const tip = `refs/heads/${branch}`
  const [head = '', headTree = ''] = (await repo.git(['rev-parse', tip, `${tip}^{tree}`])).out.split('\n')
  const isOurs = (await repo.git(['merge-base', '--is-ancestor', start, head], { ok: [0, 1] })).code === 0
  if (isOurs && headTree === tree) return head
  const commit = await commitTree(repo, { tree, parents: [isOurs ? head : start], message })
  await repo.git(['update-ref', tip, commit])
  return commit
}

/** Where git keeps what belongs to a tree. */
async function adminOf({
  repo: { gitDir },
  directory,
}: Pick<TreePlace, 'repo' | 'directory'>): Promise<string | undefined> {
  const all = path.join(gitDir, 'worktrees')
  for (const name of await readdir(all).catch(() => [])) {
    const known = await readFile(path.join(all, name, 'gitdir'), 'utf8').catch(() => '')
    if (path.dirname(known.trim()) === directory) return path.join(all, name)
  }
  return undefined
}

/** Git reads what it keeps about all trees whenever one is added, and fails on one that is half written or half removed. */
export function oneByOne<T>(repo: Repository, work: () => Promise<T>): Promise<T> {
  return withRefLock(repo, 'refs/agentm-lock/worktrees', work)
}

/** The files between two commits, with the lines that were added and removed; `undefined` lines for files that are no text. */
export async function changedFiles(
  repo: Repository,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<readonly ChangedFile[]> {
  const { out } = await repo.git(['diff', '--numstat', '--no-renames', '-z', from, to])
  return parts(out).map((line) => {
    const [added, removed, ...name] = line.split('\t')
    return { path: name.join('\t'), ...(added !== '-' && { added: Number(added), removed: Number(removed) }) }
  })
}

export interface ChangedFile {
  readonly path: string
  readonly added?: number
  readonly removed?: number
}

/** The index that agentm uses for the tree: beside it, where programs of a step cannot write in a sandbox. */
function indexFile(directory: string): string {
  return `${directory}.index`
}

function readyFile(directory: string): string {
  return `${directory}.ready.json`
}
