/** The small files in the `.harness/` of a checkout. They are there in every state mode. */
import { join } from 'node:path'
import { readPlainTextFile } from '@agentm/selection/reader'
import type { FilePath } from '@agentm/vault-lock'
import { UnreadableFileError } from './routing-errors.ts'

export type ProjectFileName = 'project.json' | '.project-mode' | 'active-plan'

/** The text of the file; `undefined` if it does not exist. A symbolic link or anything that is not a file is refused. */
export async function findProjectFile(root: FilePath, name: ProjectFileName): Promise<string | undefined> {
  const file = join(harnessDirectory(root), name) as FilePath
  const found = await readPlainTextFile(root, ['.harness', name])
  if (found.kind === 'unreadable') throw new UnreadableFileError(`${file} ${found.why}.`, { cause: found.cause })
  return found.kind === 'text' ? found.text : undefined
}

/** The directory of files that stay in the checkout. */
export function harnessDirectory(root: FilePath): FilePath {
  return join(root, '.harness') as FilePath
}
