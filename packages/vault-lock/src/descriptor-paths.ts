/**
 * Linux shows each open file of a process under /proc, as a link that leads to the very file, whatever its name leads to by
 * now. What the link reads as is where the file lies; what is named below it is named in that directory.
 */
import { closeSync, constants, fstatSync, lstatSync, openSync, readlinkSync } from 'node:fs'

/** Opens to be named only: needs no permission to read, and nothing happens to what is opened. Node does not name it. */
export const nameOnly = 0o10000000

const removed = ' (deleted)'
let home: string | false | undefined

/** The directory of these links; `undefined` where there is none, or where numbers of files are not those of the system. */
export function descriptorHome(): string | undefined {
  home ??= process.platform === 'linux' && found()
  return home === false ? undefined : home
}

function found(): string | false {
  try {
    // Another way into a process than /proc/self: one link less on the way to each name.
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

/** Where an open file lies; of one that was removed or replaced since, where it lay. */
export function pathOf(descriptor: number, own: string): string {
  const path = readlinkSync(`${own}/${descriptor}`)
  if (!path.endsWith(removed)) return path
  // There are files of that name, too.
  const there = lstatSync(path, { bigint: true, throwIfNoEntry: false })
  const { dev, ino } = fstatSync(descriptor, { bigint: true })
  return there?.dev === dev && there.ino === ino ? path : path.slice(0, -removed.length)
}
