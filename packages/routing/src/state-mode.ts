/**
 * Whether a checkout keeps its state with itself. Said by a marker in the checkout, else by the install config; never
 * inferred from a vault that is missing, because a drive that is late to mount would split the state in two.
 */
import { strip } from '@agentm/settings'
import type { FilePath } from '@agentm/vault-lock'
import { findProjectFile } from './project-file.ts'

/** `local`, `backend`, or whatever else was written, which has no effect. The first of the directories that says it. */
export async function findStateMode(
  directories: readonly FilePath[],
  configured: () => Promise<string | undefined>,
): Promise<string | undefined> {
  for (const directory of directories) {
    const marker = strip((await findProjectFile(directory, '.project-mode')) ?? '').toLowerCase()
    if (marker !== '') return marker === 'vault' ? 'backend' : marker
  }
  return await configured()
}
