/**
 * Completes a candidate with the place that it would be saved to. It saves nothing: `agentm save` does, and the caller decides
 * whether saving is worth it.
 */
import { openWorkspaceReader } from '@agentm/workspace/reader'
import { directoryOf, type SeamContext } from './context.ts'

/** A note that could be saved from here, with the place it would go to. */
export interface OfferedSave extends Readonly<Record<string, unknown>> {
  readonly project: unknown
  /** Key of the project's place in the store. */
  readonly target: string
}

/**
 * One completed copy of the candidate; none without a project, a memory or a text.
 *
 * @example
 * ```ts
 * import { offerSaveHere } from '@agentm/process-seam'
 *
 * const offers = await offerSaveHere({ cwd: '/srv/checkouts/acme' }, { text: 'Lock, then write.' })
 * ```
 */
export async function offerSaveHere(
  context: SeamContext | null | undefined,
  candidate: unknown,
): Promise<OfferedSave[]> {
  if (isEmpty(candidate)) return []
  const project = await (await openWorkspaceReader(directoryOf(context))).project()
  if (project.slug === undefined || project.projectLocator === undefined) return []
  const offered = typeof candidate === 'object' && !Array.isArray(candidate) ? { ...candidate } : { body: candidate }
  const phase = context?.phase ? { phase: context.phase } : {}
  return [{ project: project.slug, ...phase, ...offered, target: project.projectLocator.key }]
}

function isEmpty(candidate: unknown): candidate is null | undefined {
  if (typeof candidate === 'object' && candidate !== null) return Object.keys(candidate).length === 0
  return !candidate
}
