/** The address that a checkout was cloned from, according to git; `undefined` if there is none, or no git. */
import type { FilePath } from '@agentm/vault-lock'
import { isOutsideRepositories, plainOrigin } from './plain-origin.ts'

export async function originUrl(
  root: FilePath,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> {
  const plain = await plainOrigin(root, env)
  if (plain !== undefined) return plain
  if (await isOutsideRepositories(root)) return undefined
  const { execFile } = await import('node:child_process')
  const out = await new Promise<string>((resolve) => {
    execFile(
      'git',
      ['-C', root, 'remote', 'get-url', 'origin'],
      { env: withoutRepository(env), timeout: 10_000, windowsHide: true },
      (error, stdout) => resolve(error === null ? stdout : ''),
    )
  })
  const url = out.replace(/\r?\n$/, '')
  return url === '' ? undefined : url
}

/** Inside a hook, git sets variables that name the hook's repository. They are removed, because git would answer for that one. */
function withoutRepository(env: Readonly<Record<string, string | undefined>>): Record<string, string | undefined> {
  const { GIT_DIR: _dir, GIT_WORK_TREE: _tree, GIT_COMMON_DIR: _common, GIT_INDEX_FILE: _index, ...rest } = env
  return rest
}
