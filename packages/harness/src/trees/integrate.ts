/**
 * Brings what steps changed together, one after the other in the order of the plan. Nothing is checked out, and the same changes
 * always give the same commit, so any process finds the result of another.
 */
import { parts } from './git.ts'
import { commitTree, type Repository } from './repository.ts'
import { TreeConflictError } from './tree-errors.ts'

/** What one step, or the steps of one shared tree, changed: everything between two commits. */
export interface Change {
  readonly title: string
  readonly start: string
  readonly head: string
}

export interface Ground {
  readonly repo: Repository
  /** The commit that a person made of a conflict, if it was settled. */
  settled(conflict: { readonly onto: string; readonly head: string }): string | undefined
}

/** The commit with all changes. Throws `TREES_CONFLICT` for the first that does not fit. */
export async function integrate(ground: Ground, base: string, changes: readonly Change[]): Promise<string> {
  let onto = base
  for (const change of changes) onto = await pick(ground, onto, change)
  return onto
}

async function pick(ground: Ground, onto: string, { title, start, head }: Change): Promise<string> {
  if (head === start) return onto
  if (onto === start) return head
  const known = ground.settled({ onto, head })
  if (known !== undefined) return known
  const { repo } = ground
  const [from, ours, theirs] = [await facts(repo, start), await facts(repo, onto), await facts(repo, head)]
  const merged =
    ours.tree === from.tree
      ? { tree: theirs.tree, files: [] }
      : await mergeTrees(repo, { from: from.tree, ours: ours.tree, theirs: theirs.tree })
  if (merged.files.length > 0) throw new TreeConflictError({ onto, head, title, ...merged })
  return commitTree(repo, { tree: merged.tree, parents: [onto], message: title, date: theirs.date })
}

export interface ThreeTrees {
  readonly from: string
  readonly ours: string
  readonly theirs: string
}

/** A merge of trees; `files` are those in conflict. Two commits without history say where both sides come from. */
export async function mergeTrees(
  repo: Repository,
  { from, ours, theirs }: ThreeTrees,
  options: readonly string[] = [],
): Promise<{ readonly tree: string; readonly files: readonly string[] }> {
  const root = await commitTree(repo, { tree: from, parents: [], message: 'from', date: nowhen })
  const [one, two] = [
    await commitTree(repo, { tree: ours, parents: [root], message: 'earlier steps', date: nowhen }),
    await commitTree(repo, { tree: theirs, parents: [root], message: 'this step', date: nowhen }),
  ]
  const args = [...options, 'merge-tree', '--write-tree', '-z', '--name-only', '--no-messages', one, two]
  const { code, out } = await repo.git(args, { ok: [0, 1] })
  const [tree = '', ...files] = parts(out)
  return { tree: tree.trim(), files: code === 0 ? [] : [...new Set(files)] }
}

const nowhen = '@0 +0000'

async function facts(repo: Repository, commit: string): Promise<{ readonly tree: string; readonly date: string }> {
  const [tree = '', seconds = '0'] = (await repo.git(['show', '-s', '--format=%T %ct', commit])).out.trim().split(' ')
  return { tree, date: `@${seconds} +0000` }
}

export async function treeOf(repo: Repository, commit: string): Promise<string> {
  return (await facts(repo, commit)).tree
}
