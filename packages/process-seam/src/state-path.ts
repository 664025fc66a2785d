/**
 * The path of the active plan or its progress file on this machine. If the project's store is unavailable, it is the path in the
 * checkout. It throws only for a marker that names no plan, because any other plan would be wrong.
 */
import { statePath as routedStatePath } from '@agentm/routing/reader'
import type { FilePath } from '@agentm/vault-lock'
import { openWorkspaceReader } from '@agentm/workspace/reader'
import { directoryOf, type SeamContext } from './context.ts'

/**
 * The file path of the active plan or its progress. It throws only for a marker file that cannot be followed.
 *
 * @example
 * ```ts
 * import { statePath } from '@agentm/process-seam'
 *
 * const file = await statePath({ cwd: '/srv/checkouts/acme' }, 'plan')
 * ```
 */
export async function statePath(
  context: SeamContext | null | undefined,
  which: 'plan' | 'progress',
): Promise<FilePath> {
  if (which !== 'plan' && which !== 'progress')
    throw new TypeError(`statePath answers "plan" or "progress", not ${JSON.stringify(which)}`)
  const workspace = await openWorkspaceReader(directoryOf(context))
  return routedStatePath(await workspace.project(), { which, plan: context?.plan }, workspace.routing)
}
