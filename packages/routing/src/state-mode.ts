/**
 * Whether a checkout keeps its state with itself. Said by a marker in the checkout, else by the install config; never
 * inferred from a vault that is missing, because a drive that is late to mount would split the state in two.
 */
import { strip } from '@agentm/selection/reader'
import type { FilePath } from '@agentm/vault-lock'
import { findProjectFile } from './project-file.ts'

/** `local`, `backend`, or whatever else was written, which has no effect. */
export async function findStateMode(
  root: FilePath,
  configured: () => Promise<string | undefined>,
): Promise<string | undefined> {
  const marker = strip((await findProjectFile(root, '.project-mode')) ?? '').toLowerCase()
  if (marker === '') return await configured()
  return marker === 'vault' ? 'backend' : marker
}
