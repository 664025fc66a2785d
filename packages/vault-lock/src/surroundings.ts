/** Describes where this process runs: what decides where a path leads, and a name for people. */
import { createHash } from 'node:crypto'
import { readFileSync, readlinkSync, statSync } from 'node:fs'
import { hostname, userInfo } from 'node:os'

export interface Surroundings {
  /** Two processes with the same value find the same file at the same path. Empty if unknown. */
  readonly view: string
  /** The user and the machine, for messages. */
  readonly name: string
}

let known: Surroundings | undefined

export function nodeSurroundings(): Surroundings {
  return (known ??= { view: viewOfPaths(), name: `${userName()} on ${hostname()}` })
}

/** Containers and system services on Linux can have mounts and a root of their own. On other systems all processes see the same files. */
function viewOfPaths(): string {
  if (process.platform !== 'linux') return digest(`${process.platform} ${hostname()}`)
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    const { dev, ino } = statSync('/', { bigint: true })
    return boot === '' ? '' : digest(`${boot} ${readlinkSync('/proc/self/ns/mnt')} ${dev}-${ino}`)
  } catch {
    return ''
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}

function userName(): string {
  try {
    return userInfo().username
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`
  }
}
