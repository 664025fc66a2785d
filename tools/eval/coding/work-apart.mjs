// @ts-check
/**
 * The git repository of a task, whose plan works in a tree of its own as that of `agentm do`, and the files, trees, branches and refs that
 * remain at the end.
 */
import { execFile } from 'node:child_process'
import { readdir, realpath } from 'node:fs/promises'
import { promisify } from 'node:util'
import { applyPlan, discardPlan, openTrees } from '@agentm/harness/trees'
import { owner } from './plan.mjs'

/** Whoever commits under this address is the model, and may not. */
export const modelAddress = 'a@example.com'

/**
 * @param {{ readonly root: string, readonly treesAt: string, readonly store: import('@agentm/nodes').NodeStore }} around
 *   `root` holds the files of the repository
 */
export async function workApart({ root, treesAt, store }) {
  const git = async (/** @type {readonly string[]} */ ...args) =>
    (await promisify(execFile)('git', ['-C', root, ...args])).stdout.trim()
  await git('init', '-q', '-b', 'main')
  await git('add', '-A')
  await git('-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', 'commit', '-qm', 'first')
  const trees = openTrees({ log: store.log, root: treesAt })
  return {
    field: async () => (await trees.plan(await realpath(root))).trees,
    /** Whether the model committed something, although it may not. */
    hasCommitted: async () => (await git('log', '--all', '--format=%ae')).split('\n').includes(modelAddress),
    /** Where the step worked. @param {{ readonly planId: string, readonly stepId: string }} which */
    async treeOf({ planId, stepId }) {
      const place = await placeOf(trees, planId)
      return (await place.treeOf({ id: stepId, planId })).directory
    },
    /**
     * Brings the result of a plan that is done into the folder, and discards that of any other one, as a person would. Answers what is
     * left over.
     * @param {{ readonly planId: string, readonly isDone: boolean }} which
     * @returns {Promise<readonly string[]>}
     */
    async end({ planId, isDone }) {
      const changed = await git('status', '--porcelain')
      const place = await placeOf(trees, planId)
      await (isDone ? applyPlan(place) : discardPlan(place))
      const refs = await git('for-each-ref', '--format=%(refname)', 'refs/agentm', 'refs/agentm-lock', 'refs/heads')
      const worktrees = (await git('worktree', 'list', '--porcelain'))
        .split('\n')
        .filter((line) => line.startsWith('worktree '))
      return [
        ...lines(changed).map((line) => `changed before apply: ${line}`),
        ...lines(refs).filter((name) => name !== 'refs/heads/main'),
        ...worktrees.slice(1),
        ...(await readdir(treesAt)).filter((name) => name !== 'device').map((name) => `trees/${name}`),
      ]
    },
  }
}

/** @param {import('@agentm/harness/trees').Trees} trees @param {string} planId */
async function placeOf(trees, planId) {
  const place = await trees.of({ owner, planId })
  if (place === undefined) throw new TypeError('the plan has no trees')
  return place
}

/** @param {string} text */
function lines(text) {
  return text.split('\n').filter((line) => line !== '')
}
