/**
 * Deletes one file. The file is first moved into a directory of ours beside it, and deleted there. A process that takes the lock over
 * removes that directory before it writes. So a process that was suspended can no longer move the successor's file away. If the moved file
 * is not the one that was meant, it is moved back.
 */
import { join } from 'node:path'
import { askLast } from './ask-last.ts'
import { isErrno } from './errno.ts'
import { LockLostError } from './errors.ts'
import type { FilePath } from './file-path.ts'
import type { FileSystem } from './file-system.ts'
import type { Hold } from './lock-queue.ts'
import { onDeath } from './on-death.ts'
import { openDirectory, type OpenDirectory } from './open-directory.ts'
import { putBack, putBackNow } from './put-back.ts'
import { temporaryName } from './pure/temporary-name.ts'
import { sweepBeforeRemoval, tagOf, whileInFlight } from './sweep-remnants.ts'
import type { World } from './world.ts'

export interface Removal {
  readonly hold: Hold
  /** Called together with the check of the lock, right before the file is moved. Throws if the file must stay. */
  readonly confirm: () => Promise<void>
  /** Whether the file at this path, already moved, is the one to delete. */
  readonly isMeant: (moved: FilePath) => Promise<boolean>
}

/** Returns false, and changes nothing, if the name got another file at the last moment or the file is gone. */
export async function removeFile(
  directory: OpenDirectory,
  name: string,
  removal: Removal,
  { fs, runtime }: World,
): Promise<boolean> {
  await sweepBeforeRemoval(directory, removal.hold, { fs, runtime })
  const own = temporaryName(tagOf(removal.hold), runtime.newId())
  const forget = fs.isSimulated ? undefined : onDeath(() => putBackNow(directory.at(own)))
  try {
    const isRemoved = await whileInFlight(join(directory.path, own), fs, async () =>
      removeThrough(directory, { own, name }, removal, fs),
    )
    if (isRemoved) await directory.sync()
    return isRemoved
  } finally {
    forget?.()
  }
}

async function removeThrough(
  directory: OpenDirectory,
  { own, name }: { readonly own: string; readonly name: string },
  removal: Removal,
  fs: FileSystem,
): Promise<boolean> {
  let isRemoved = false
  let away: OpenDirectory | undefined
  try {
    await fs.mkdir(directory.at(own), { mode: 0o700 })
    away = await openDirectory(directory.at(own), fs, { followLink: false })
    await askLast(removal.hold, removal.confirm)
    const moved = away.at(name)
    if (!(await isDone(fs.rename(directory.at(name), moved), removal.hold))) return false
    await removal.hold.check()
    if (!(await removal.isMeant(moved))) return false
    if (!(await isDone(fs.unlink(moved), removal.hold))) return false
    isRemoved = await isGone(directory.at(name), removal, fs)
  } finally {
    await away?.close().catch(nothing)
    const leave = async (): Promise<void> => (isRemoved ? fs.rmdir(directory.at(own)) : putBack(directory, own, fs))
    // A directory that cannot be removed now is removed by the next sweep.
    await leave().catch(leave).catch(nothing)
  }
  return isRemoved
}

const nothing = (): void => {}

/**
 * Deletes the moved file; after that nobody can put it back. Another process may have taken the lock over before, while this one was
 * suspended.
 */
async function isGone(target: FilePath, { hold, isMeant }: Removal, fs: FileSystem): Promise<boolean> {
  try {
    await askLast(hold)
    return true
  } catch (error) {
    if (!(error instanceof LockLostError)) throw error
    const [there] = await fs.lstatAll([target])
    if (there === undefined) return true
    // The file was moved back, so nothing was deleted.
    if (await isMeant(target)) throw error
    const why =
      'another process took it over while this one removed a note, and wrote another one there, or changed that one'
    throw new LockLostError(error.lockDirectory, why, { isInDoubt: true })
  }
}

async function isDone(step: Promise<void>, hold: Hold): Promise<boolean> {
  try {
    await step
    return true
  } catch (error) {
    if (!isErrno(error, 'ENOENT')) throw error
    // Another process that took the lock over has removed the directory. The check then reports that the lock is lost.
    await hold.check()
    return false
  }
}
