/**
 * A kind of steps, kept apart: before a run, conflicts that a person settled are taken in; after it, what the step changed is
 * committed on its branch and recorded.
 */
import { redactSecrets } from '@agentm/nodes'
import { isHarnessError } from '../harness-errors.ts'
import type { NewObservation, StepKind, StepOutcome, StepRun } from '../step-kind.ts'
import { askAboutConflict, takeAnswers } from './settle-conflict.ts'
import { list, type TreeConflictError } from './tree-errors.ts'
import type { Trees } from './trees.ts'
import type { StepTree, TreesOfPlan } from './trees-of-plan.ts'
import { mergeKindName } from './pure/merge-kind-name.ts'
import { changedFiles, commitAll } from './worktree.ts'

const lookAgainMs = 600_000

/** Kinds of steps that work in trees. */
export interface InTrees {
  readonly kind: (kind: StepKind) => StepKind
  /** The directory in which a step works; `undefined` for steps of plans that work in the working folder. */
  readonly directoryOf: (run: StepRun) => Promise<string | undefined>
  /**
   * What a program of the step has to write and to read, for a sandbox. The repository is only read: agentm commits what the step
   * changed.
   */
  readonly placesOf: (
    run: StepRun,
  ) => Promise<{ readonly writable: readonly string[]; readonly readable: readonly string[] } | undefined>
}

/**
 * Wraps kinds of steps so that they work in the trees of their plans.
 *
 * @example
 * ```ts
 * import { createInMemoryStore } from '@agentm/conformance/logs'
 * import { commandKind, harnessConcepts } from '@agentm/harness'
 * import { inTrees, openTrees } from '@agentm/harness/trees'
 *
 * const { log } = createInMemoryStore({ concepts: harnessConcepts })
 * const { kind } = inTrees(openTrees({ log, root: '/home/ada/.agentm/trees' }))
 * console.log(kind(commandKind()).name) // command
 * ```
 */
export function inTrees(trees: Trees): InTrees {
  const opened = new WeakMap<StepRun, Promise<StepTree>>()
  const places = new WeakMap<StepRun, TreesOfPlan>()
  const treeOf = async (run: StepRun): Promise<StepTree | undefined> => {
    const place = places.get(run) ?? (await trees.of(run))
    if (place === undefined) return undefined
    const tree = opened.get(run) ?? place.treeOf(run)
    opened.set(run, tree)
    return tree
  }
  return {
    directoryOf: async (run) => (await treeOf(run))?.directory,
    async placesOf(run) {
      const tree = await treeOf(run)
      if (tree === undefined) return undefined
      const { directory, repo } = tree.place
      return { writable: [directory], readable: [repo.top, repo.gitDir] }
    },
    kind: (kind) => ({
      ...kind,
      async run(run) {
        const place = await trees.of(run)
        if (place === undefined) return kind.run(run)
        if (!place.isHere) return elsewhere(run, place)
        places.set(run, place)
        try {
          const refused = await takeAnswers(run, place)
          if (refused !== undefined) return refused
          const outcome = await kind.run(run)
          const tree = await opened.get(run)
          if (tree !== undefined && kind.name !== mergeKindName) await record(run, { place, tree, outcome })
          return outcome
        } catch (error) {
          if (!isHarnessError(error, 'TREES_CONFLICT')) throw error
          return askAboutConflict(run, place, (error as TreeConflictError).conflict)
        }
      },
    }),
  }
}

async function elsewhere(run: StepRun, { trees }: TreesOfPlan): Promise<StepOutcome> {
  const content = `waits for a worker on the machine that has ${trees.folder} and the trees of this plan`
  await run.observe({ kind: 'note', content, data: { folder: trees.folder } })
  return { end: 'waits', waitsFor: { for: 'time', until: run.now() + lookAgainMs } }
}

interface Worked {
  readonly place: TreesOfPlan
  readonly tree: StepTree
  readonly outcome: StepOutcome
}

/** Commits what a step changed once it ends. A step that only waits goes on in its tree later. */
async function record(run: StepRun, { place, tree, outcome }: Worked): Promise<void> {
  if (outcome.end !== 'done' && outcome.end !== 'failed') return
  const commit = () => commitAll(tree.place, { ready: tree.ready, start: tree.start, message: run.step.title })
  const head = tree.isShared ? await place.locked(`tree-${tree.word}`, commit) : await commit()
  if (head !== tree.start) await run.observe(await observationOf(tree, head))
  if (outcome.end === 'done') await place.keep(`done/${tree.word}`, head)
}

const maxDiffLength = 65_536

/** What a step changed, for the log. Secrets are masked before the text is cut, because half a secret is not recognised. */
async function observationOf({ place: { repo, branch }, start }: StepTree, head: string): Promise<NewObservation> {
  const files = await changedFiles(repo, { from: start, to: head })
  const diff = await repo.git(['diff', '--no-color', '--no-ext-diff', start, head])
  const text = diff.cut ? '' : redactSecrets(diff.out)
  const cut = diff.cut || text.length > maxDiffLength
  const content = `changed ${files.length === 1 ? '1 file' : `${files.length} files`}: ${list(files.map(({ path }) => path))}`
  const change = { base: start, head, branch, files, diff: text.slice(0, maxDiffLength), ...(cut && { cut: true }) }
  return { kind: 'note', content, data: { change } }
}
