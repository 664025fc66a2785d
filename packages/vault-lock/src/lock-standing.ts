/** Which locks a writer of this directory would take, and what prevents it. For people who look for a fault. Changes nothing. */
import type { FilePath } from './file-path.ts'
import { nodeFileSystem } from './file-system.ts'
import { defaultLockRoot, lockIn } from './lock-directory.ts'
import { LockPlace } from './lock-place.ts'
import { placeLeaseMs } from './pure/place-record.ts'
import { realPath } from './real-path.ts'
import { nodeRuntime } from './runtime.ts'
import type { MutexOptions } from './vault-mutex.ts'

/** The answer of `lockStanding`. */
export type LockStanding = {
  /** The lock of this environment. The Python implementation takes only this one. */
  readonly own: FilePath
} & (
  | { readonly kind: 'own' }
  /** The writers share another lock, so a writer takes both. */
  | { readonly kind: 'both'; readonly recorded: string; readonly file: string }
  /** The writers share another lock that this process cannot take. */
  | {
      readonly kind: 'away'
      readonly recorded: string
      readonly file: string
      readonly by: string
      readonly why: string
      /** Time since the recorded lock was last used. */
      readonly unusedMs: number
      /** True if it was unused for so long that the next writer replaces it. */
      readonly isGivenUp: boolean
    }
)

/**
 * Which locks a writer of this root would take, and what could prevent it. Changes nothing.
 *
 * @example
 * ```ts
 * import { filePath, lockStanding } from '@agentm/vault-lock'
 *
 * const { kind, own } = await lockStanding(filePath('/srv/vault'))
 * ```
 */
export async function lockStanding(
  root: FilePath,
  { lockRoot = defaultLockRoot(), fs = nodeFileSystem, runtime = nodeRuntime }: MutexOptions = {},
): Promise<LockStanding> {
  const resolved = await realPath(root, fs)
  const own = lockIn(lockRoot, resolved)
  const place = new LockPlace(resolved as FilePath, own, { fs, runtime })
  await place.locate()
  const standing = await place.look()
  const { file = '', usedAt } = place.found
  if (standing.kind === 'both') return { own, kind: 'both', recorded: standing.lock, file }
  if (standing.kind !== 'away') return { own, kind: 'own' }
  const unusedMs = Math.abs(runtime.now() - usedAt)
  const { lock: recorded, by, why } = standing
  return { own, kind: 'away', recorded, file, by, why, unusedMs, isGivenUp: unusedMs > placeLeaseMs }
}
