/**
 * Whether a checkout stores its own state. A marker in the checkout decides, otherwise the install config. An absent vault never
 * decides, because a drive that is mounted late would split the state in two.
 */
import { strip } from '@agentm/settings'
import type { FilePath } from '@agentm/vault-lock'
import { findProjectFile } from './project-file.ts'

/** `local`, `backend`, or another text, which has no effect. The first directory with a marker decides. */
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
