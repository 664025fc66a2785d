import { access } from 'node:fs/promises'

/** If the path cannot be checked it counts as there, so that opening it reports the error. */
export async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    (error: unknown) => !(error instanceof Error && 'code' in error && error.code === 'ENOENT'),
  )
}
