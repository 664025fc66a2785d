/** A conflict is a question to a person, never a silent choice. The answer becomes a commit that every later merge uses. */
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import type { StepOutcome, StepRun } from '../step-kind.ts'
import { commitTree } from './repository.ts'
import { list, type TreeConflict } from './tree-errors.ts'
import { treeOf } from './integrate.ts'
import type { TreesOfPlan } from './trees-of-plan.ts'
import { commitAll, makeTree, readReady } from './worktree.ts'

const answers = ['resolved', 'leave-out', 'fail']
const pattern = /^tree-conflict-([0-9a-f]+)-([0-9a-f]+)-(\d+)$/

/** Puts the files with both versions into a tree, and asks. */
export async function askAboutConflict(run: StepRun, place: TreesOfPlan, conflict: TreeConflict): Promise<StepOutcome> {
  const { onto, head, title, files, tree } = conflict
  const where = await place.conflictTree(conflict)
  if ((await readReady(where)) === undefined) {
    const both = await commitTree(where.repo, { tree, parents: [onto], message: `Conflict: ${title}` })
    await mkdir(path.dirname(where.directory), { recursive: true })
    await makeTree(where, { start: both, includes: [], linking: [] })
  }
  const asked = Object.keys(run.step.answers ?? {}).filter((id) =>
    id.startsWith(`tree-conflict-${onto}-${head}-`),
  ).length
  return {
    end: 'asks',
    question: {
      id: `tree-conflict-${onto}-${head}-${asked + 1}`,
      text:
        `${list(files)}: what "${title}" changed does not fit what earlier steps changed. Both versions are in ${where.directory}, between ` +
        'conflict marks. resolved: you have edited the files there. leave-out: go on without what this step changed. fail: this step fails.',
      allowed: answers,
    },
  }
}

/** Takes in what a person answered. An outcome ends the run; with none it goes on. */
export async function takeAnswers(run: StepRun, place: TreesOfPlan): Promise<StepOutcome | undefined> {
  for (const [id, { value, actor }] of Object.entries(run.step.answers ?? {})) {
    const [, onto, head] = pattern.exec(id) ?? []
    if (onto === undefined || head === undefined) continue
    if (value === 'fail')
      return {
        end: 'failed',
        failure: {
          message: `${actor} answered fail to a conflict between steps`,
          code: 'TREES_CONFLICT',
          retryable: false,
        },
      }
    await settle(place, { onto, head, leaveOut: value === 'leave-out' })
  }
  return undefined
}

/** Does nothing if the conflict was settled before. Files that still have conflict marks are asked about again. */
async function settle(
  place: TreesOfPlan,
  { onto, head, leaveOut }: { readonly onto: string; readonly head: string; readonly leaveOut: boolean },
): Promise<void> {
  const where = await place.conflictTree({ onto, head })
  const ready = await readReady(where)
  if (ready === undefined) return
  const { repo } = where
  const message = leaveOut ? 'A conflict between steps: without the later one' : 'A conflict between steps, settled'
  const made = leaveOut ? onto : await commitAll(where, { ready, start: onto, message })
  if (!leaveOut && (await hasMarks(place, { onto, made }))) return
  const commit = await commitTree(repo, { tree: await treeOf(repo, made), parents: [onto], message })
  await place.keep(`settled/${onto}-${head}`, commit)
  await place.removeTree(where)
}

async function hasMarks(
  place: TreesOfPlan,
  { onto, made }: { readonly onto: string; readonly made: string },
): Promise<boolean> {
  const repo = await place.repository()
  const { out } = await repo.git(['diff', '--no-color', '--no-ext-diff', onto, made])
  return /^\+<{7} /m.test(out)
}
