/** The small files a checkout keeps in `.harness/` whatever its state mode is. */
import { join } from 'node:path'
import { readPlainTextFile } from '@agentm/selection/reader'
import type { FilePath } from '@agentm/vault-lock'
import { UnreadableFileError } from './routing-errors.ts'

export type ProjectFileName = 'project.json' | '.project-mode' | 'active-plan'

/** Its text, `undefined` where nothing is there; anything else that stands there is refused, a symbolic link too. */
export async function findProjectFile(root: FilePath, name: ProjectFileName): Promise<string | undefined> {
  const file = join(harnessDirectory(root), name) as FilePath
  const found = await readPlainTextFile(root, ['.harness', name])
  if (found.kind === 'unreadable') throw new UnreadableFileError(`${file} ${found.why}.`, { cause: found.cause })
  return found.kind === 'text' ? found.text : undefined
}

/** Where a checkout keeps what stays with it. */
export function harnessDirectory(root: FilePath): FilePath {
  return join(root, '.harness') as FilePath
}
