/**
 * Brings the result of a plan into the user's tree, all or nothing. First everything that could fail is done beside the tree. Then a
 * journal says what is to be written, and the files are moved into place. If the process dies in between, the next call reads the journal
 * and completes the rest, or takes back what was written.
 */
import { cp, lstat, mkdir, open, readFile, rename, rm, rmdir } from 'node:fs/promises'
import path from 'node:path'
import { isHarnessError } from '../harness-errors.ts'
import { parts } from './git.ts'
import { mergeTrees, treeOf } from './integrate.ts'
import { removePlanTrees } from './remove-plan-trees.ts'
import { headOf, type Repository, withIndex } from './repository.ts'
import { list, TreesError } from './tree-errors.ts'
import type { TreesOfPlan } from './trees-of-plan.ts'
import { type ChangedFile, changedFiles } from './worktree.ts'

/** What was applied, and where it is now. */
export interface Applied {
  /** What the plan changed. */
  readonly files: readonly ChangedFile[]
  readonly commit: string
  /** The branch that has it, instead of the user's tree. */
  readonly branch?: string
}

/** What is to be written: trees of git with the files before and after. */
interface Journal {
  readonly before: string
  readonly after: string
  readonly files: readonly string[]
}

type Home = Pick<TreesOfPlan, 'home' | 'word' | 'repository'>

/** Brings the merged result into the user's tree, or leaves it as a branch; then removes the trees of the plan. */
export async function applyPlan(place: TreesOfPlan, { branch }: { readonly branch?: string } = {}): Promise<Applied> {
  return place.locked('apply', async () => {
    const repo = await place.repository()
    await completeJournal(place, 'after')
    const commit = await mergedOf(place)
    const files = await changedFiles(repo, { from: place.trees.base, to: commit })
    if (branch === undefined) await bringIn(place, { repo, commit, files: files.map((file) => file.path) })
    else await leaveBranch(repo, { branch, commit })
    await removePlanTrees(repo, place)
    return { files, commit, ...(branch !== undefined && { branch }) }
  })
}

async function mergedOf(place: TreesOfPlan): Promise<string> {
  try {
    return await place.merged()
  } catch (error) {
    if (!isHarnessError(error, 'TREES_CONFLICT')) throw error
    throw new TreesError(`${error.message}. The merge step of the plan asks about it: agentm status`)
  }
}

async function leaveBranch(
  repo: Repository,
  { branch, commit }: { readonly branch: string; readonly commit: string },
): Promise<void> {
  if (repo.kind === 'snapshot')
    throw new TreesError(`${repo.top} is no git repository, so it has no branches. Apply without a branch.`)
  await repo.git(['branch', '--no-track', branch, commit])
}

interface Result {
  readonly repo: Repository
  readonly commit: string
  readonly files: readonly string[]
}

async function bringIn(place: TreesOfPlan, { repo, commit, files }: Result): Promise<void> {
  if (files.length === 0) return
  await refuseDuringMerge(repo)
  const base = await treeOf(repo, place.trees.base)
  const theirs = await treeOf(repo, commit)
  const head = repo.kind === 'git' ? await treeOf(repo, await headOf(repo)) : base
  const ours = await treeNow(repo, files)
  const [changed, sinceBase, notYet] = [
    await differing(repo, head, ours),
    await differing(repo, base, ours),
    await differing(repo, theirs, ours),
  ]
  const dirty = files.filter((file) => changed.has(file) && sinceBase.has(file) && notYet.has(file))
  if (dirty.length > 0)
    throw new TreesError(
      `nothing was applied, because these files have changes that are ${repo.kind === 'git' ? 'not committed' : 'newer than the plan'}: ${list(dirty)}. ` +
        `Commit or undo them in ${repo.top}, then apply again${repo.kind === 'git' ? '; or leave the result as a branch: --branch NAME' : ''}.`,
    )
  const merged = await mergeTrees(repo, { from: base, ours, theirs }, ['-c', 'merge.renames=false'])
  if (merged.files.length > 0)
    throw new TreesError(
      `nothing was applied, because these files were changed in ${repo.top} since the plan started, in a way that does not fit: ${list(merged.files)}. ` +
        'Leave the result as a branch and merge it by hand: --branch NAME.',
    )
  const toWrite = [...(await differing(repo, ours, merged.tree))]
  if (toWrite.length === 0) return
  await refuseBlocked(repo, { files: toWrite, after: merged.tree })
  await writeJournal(place, { before: ours, after: merged.tree, files: toWrite })
  await completeJournal(place, 'after')
}

async function refuseDuringMerge(repo: Repository): Promise<void> {
  const { out } = await repo.git(['ls-files', '--unmerged', '-z'], { index: repo.index })
  if (out !== '')
    throw new TreesError(
      `nothing was applied, because a merge in ${repo.top} is not finished. Finish or abort it, then apply again.`,
    )
}

/** The tree of git with these files as they are on the disk now. */
async function treeNow(repo: Repository, files: readonly string[]): Promise<string> {
  return withIndex(repo, async (index) => {
    const stdin = files.map((file) => `${file}\0`).join('')
    await repo.git(['update-index', '-z', '--add', '--remove', '--replace', '--stdin'], {
      workTree: repo.top,
      at: repo.top,
      index,
      stdin,
    })
    return (await repo.git(['write-tree'], { index })).out.trim()
  })
}

async function differing(repo: Repository, one: string, other: string): Promise<ReadonlySet<string>> {
  return new Set(parts((await repo.git(['diff-tree', '-r', '-z', '--no-renames', '--name-only', one, other])).out))
}

/** Names what cannot be written, before anything is: parts of a path that are links or files, and repositories inside this one. */
async function refuseBlocked(
  repo: Repository,
  { files, after }: { readonly files: readonly string[]; readonly after: string },
): Promise<void> {
  const { out } = await repo.git(['ls-tree', '-r', '-z', after])
  const kept = new Map(parts(out).map((line) => [line.slice(line.indexOf('\t') + 1), line.slice(0, 6)]))
  const blocked = new Set(files.filter((file) => kept.get(file) === '160000'))
  for (const file of files.filter((name) => kept.has(name)))
    for (let parent = path.dirname(file); parent !== '.'; parent = path.dirname(parent)) {
      const found = await lstat(path.join(repo.top, parent)).catch(() => undefined)
      const goes = files.includes(parent) && !kept.has(parent)
      if (found !== undefined && !found.isDirectory() && !goes) blocked.add(parent)
    }
  if (blocked.size > 0)
    throw new TreesError(
      `nothing was applied, because these are links, files in the way or submodules: ${list([...blocked])}. Leave the result as a branch: --branch NAME.`,
    )
}

async function writeJournal(place: Home, journal: Journal): Promise<void> {
  const file = journalFile(place)
  await mkdir(place.home, { recursive: true, mode: 0o700 })
  const written = await open(`${file}.new`, 'w', 0o600)
  try {
    await written.writeFile(JSON.stringify(journal))
    await written.sync()
  } finally {
    await written.close()
  }
  await rename(`${file}.new`, file)
}

/** Writes what an interrupted call has left to do, forwards or back. Files that somebody changed in between are named, not written. */
export async function completeJournal(place: Home, to: 'before' | 'after'): Promise<void> {
  const text = await readFile(journalFile(place), 'utf8').catch(() => undefined)
  if (text === undefined) return
  const journal = JSON.parse(text) as Journal
  const repo = await place.repository()
  const now = await treeNow(repo, journal.files)
  const [fromBefore, fromAfter] = [
    await differing(repo, journal.before, now),
    await differing(repo, journal.after, now),
  ]
  const foreign = journal.files.filter((file) => fromBefore.has(file) && fromAfter.has(file))
  if (foreign.length > 0)
    throw new TreesError(
      `an earlier apply was interrupted, and these files were changed since: ${list(foreign)}. Undo those changes in ${repo.top}, then run the command again.`,
    )
  const left = to === 'after' ? fromAfter : fromBefore
  await write(repo, {
    tree: journal[to],
    files: journal.files,
    left,
    stage: path.join(repo.gitDir, `agentm-apply-${place.word}`),
  })
  await rm(journalFile(place), { force: true })
}

interface Writing {
  readonly tree: string
  readonly files: readonly string[]
  /** Those that are not yet as they shall be. */
  readonly left: ReadonlySet<string>
  readonly stage: string
}

/** Writes every file beside the tree first, with the filters of the repository, and then moves each into place. */
async function write(repo: Repository, { tree, files, left, stage }: Writing): Promise<void> {
  await rm(stage, { recursive: true, force: true })
  await withIndex(repo, async (index) => {
    await repo.git(['read-tree', tree], { index })
    const known = new Set(parts((await repo.git(['ls-files', '-z'], { index })).out))
    const toMove = files.filter((file) => known.has(file) && left.has(file))
    const stdin = toMove.map((file) => `${file}\0`).join('')
    await repo.git(['checkout-index', '--force', `--prefix=${stage}/`, '-z', '--stdin'], {
      workTree: repo.top,
      at: repo.top,
      index,
      stdin,
    })
    // Also those that are gone already: an interrupted call may have left their directories.
    for (const file of files.filter((name) => !known.has(name))) await removeFile(repo.top, file)
    for (const file of toMove) await moveFile(path.join(stage, file), path.join(repo.top, file))
  })
  await rm(stage, { recursive: true, force: true })
}

async function removeFile(top: string, file: string): Promise<void> {
  await rm(path.join(top, file), { force: true })
  // Git has no empty directories. One with other files stays.
  for (let parent = path.dirname(file); parent !== '.'; parent = path.dirname(parent))
    if (!(await isGone(path.join(top, parent)))) return
}

async function isGone(directory: string): Promise<boolean> {
  return rmdir(directory).then(
    () => true,
    (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT',
  )
}

async function moveFile(from: string, to: string): Promise<void> {
  await mkdir(path.dirname(to), { recursive: true })
  try {
    await rename(from, to)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EXDEV')) throw error
    const beside = `${to}.agentm-new`
    await cp(from, beside, { verbatimSymlinks: true })
    await rename(beside, to)
  }
}

function journalFile({ home }: Home): string {
  return path.join(home, 'apply.json')
}
