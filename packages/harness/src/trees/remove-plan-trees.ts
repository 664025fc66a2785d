import { rm } from 'node:fs/promises'
import path from 'node:path'
import type { Repository } from './repository.ts'
import { forgetTrees, oneByOne } from './worktree.ts'

/** Removes the trees of a plan, their branches, and everything else that is kept about them. */
export async function removePlanTrees(
  repo: Repository,
  { home, word }: { readonly home: string; readonly word: string },
): Promise<void> {
  await oneByOne(repo, () => forgetTrees(repo, (directory) => directory.startsWith(path.join(home, path.sep))))
  const { out } = await repo.git([
    'for-each-ref',
    '--format=delete %(refname)',
    `refs/heads/agentm/${word}/`,
    `refs/agentm/${word}/`,
  ])
  // The lock of whoever does this goes last, with its holder.
  const lines = out.split('\n').filter((line) => line !== '' && !line.includes('/lock/'))
  if (lines.length > 0) await repo.git(['update-ref', '--stdin'], { stdin: `${lines.join('\n')}\n` })
  await rm(home, { recursive: true, force: true, maxRetries: 3 })
}
