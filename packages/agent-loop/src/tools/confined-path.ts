/**
 * Restricts paths to one directory: neither `..` nor a symbolic link can lead out of it. The returned path has no links except
 * possibly the last name, so opening it without following links opens exactly what was checked.
 */
import { lstat, realpath } from 'node:fs/promises'
import path from 'node:path'
import { ToolError } from '../loop/tool-error.ts'

export interface Confinement {
  readonly root: string
  /** Names of directories that are off limits at any depth. */
  readonly closed?: readonly string[]
}

/** `place` is relative to the root and uses `/`. */
export async function confinedPath({ root, closed = [] }: Confinement, place: string): Promise<string> {
  if (place.includes('\0')) throw new ToolError('validation', 'a path holds no null character')
  const home = await realpath(root)
  const wanted = path.resolve(home, place)
  if (!isWithin(home, wanted)) throw outside(place)
  const real = await realOf(wanted)
  if (!isWithin(home, real)) throw outside(place)
  const names = path.relative(home, real).split(path.sep)
  const shut = names.find((name) => closed.includes(name.toLowerCase()))
  if (shut !== undefined) throw new ToolError('permission', `${place}: nothing is done in ${shut}`)
  return real
}

/** The path with every link followed. If the path does not exist, only its existing part is resolved. */
async function realOf(wanted: string): Promise<string> {
  const missing: string[] = []
  for (let at = wanted; ; at = path.dirname(at)) {
    try {
      return path.join(await realpath(at), ...missing)
    } catch (error) {
      if (!isErrno(error, 'ENOENT') || path.dirname(at) === at) throw error
      // Writing through a dangling link would create its target outside of the directory.
      if (await isLink(at)) throw new ToolError('permission', `${path.basename(at)} is a link that leads nowhere`)
      missing.unshift(path.basename(at))
    }
  }
}

async function isLink(at: string): Promise<boolean> {
  try {
    return (await lstat(at)).isSymbolicLink()
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return false
    throw error
  }
}

function isWithin(home: string, at: string): boolean {
  return at === home || at.startsWith(home.endsWith(path.sep) ? home : home + path.sep)
}

function outside(place: string): ToolError {
  return new ToolError('permission', `${place} is outside of the working folder`, { mayHaveHappened: false })
}

function isErrno(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
