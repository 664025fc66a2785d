import { access } from 'node:fs/promises'

/** What cannot be looked at is for whoever opens it to refuse. */
export async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    (error: unknown) => !(error instanceof Error && 'code' in error && error.code === 'ENOENT'),
  )
}
