/**
 * Linux shows each open file of a process under /proc, as a link to that very file, even after its name was given to another file. Reading
 * the link tells where the file is stored. A path below the link names a file in that directory.
 */
import { closeSync, constants, fstatSync, lstatSync, openSync, readlinkSync } from 'node:fs'

/** O_PATH, which Node does not export: opens a file only to refer to it. It needs no permission to read, and does nothing to the file. */
export const nameOnly = 0o10000000

const removed = ' (deleted)'
let home: string | false | undefined

/** The directory of these links; `undefined` if there is none, or if this runtime's file descriptors are not those of the system. */
export function descriptorHome(): string | undefined {
  home ??= process.platform === 'linux' && found()
  return home === false ? undefined : home
}

function found(): string | false {
  try {
    // A direct path to the directory of this process. It saves following the link /proc/self for each name.
    const own = `/proc/${readlinkSync('/proc/self')}/fd`
    return ['/', '/proc'].every((path) => leadsTo(own, path)) && own
  } catch {
    return false
  }
}

function leadsTo(own: string, path: string): boolean {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY)
  try {
    return readlinkSync(`${own}/${descriptor}`) === path
  } finally {
    closeSync(descriptor)
  }
}

/** The path of an open file. If the file was removed or replaced since, its former path. */
export function pathOf(descriptor: number, own: string): string {
  const path = readlinkSync(`${own}/${descriptor}`)
  if (!path.endsWith(removed)) return path
  // The suffix may also be part of a real file name, so the path is checked.
  const there = lstatSync(path, { bigint: true, throwIfNoEntry: false })
  const { dev, ino } = fstatSync(descriptor, { bigint: true })
  return there?.dev === dev && there.ino === ino ? path : path.slice(0, -removed.length)
}
