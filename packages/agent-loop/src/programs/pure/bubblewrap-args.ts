/** The arguments of `bwrap` before the program. Later mounts lie over earlier ones. */
export interface BubblewrapPlaces {
  readonly network: boolean
  readonly hidden: readonly string[]
  readonly readable: readonly string[]
  readonly writable: readonly string[]
  readonly resolver: readonly string[]
  readonly directory: string
}

export function bubblewrapArgs({
  network,
  hidden,
  readable,
  writable,
  resolver,
  directory,
}: BubblewrapPlaces): readonly string[] {
  return [
    '--die-with-parent',
    '--unshare-pid',
    '--unshare-ipc',
    '--unshare-uts',
    ...(network ? [] : ['--unshare-net']),
    ...whole,
    ...resolver.flatMap((place) => ['--ro-bind', place, place]),
    ...shortestFirst(hidden).flatMap((place) => ['--tmpfs', place]),
    ...shortestFirst(readable).flatMap((place) => ['--ro-bind', place, place]),
    ...shortestFirst(writable).flatMap((place) => ['--bind', place, place]),
    '--chdir',
    directory,
  ]
}

// /run has sockets of other programs, such as Docker, through which a program could leave the sandbox.
const empty = ['--tmpfs', '/run', '--tmpfs', '/tmp', '--tmpfs', '/var/tmp']
const whole = ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', ...empty]

/** A directory before those inside it, which would otherwise be covered. */
function shortestFirst(places: readonly string[]): readonly string[] {
  return places.toSorted((a, b) => a.length - b.length)
}
