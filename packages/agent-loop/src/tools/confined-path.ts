/**
 * Places below one directory and nowhere else: neither `..` nor a symbolic link leads out of it. What is answered is free of
 * links up to the last name, so that opening it without following links opens what was checked.
 */
import { lstat, realpath } from 'node:fs/promises'
import path from 'node:path'
import { ToolError } from '../loop/tool-error.ts'

export interface Confinement {
  readonly root: string
  /** Names of directories nothing is done in, at any depth. */
  readonly closed?: readonly string[]
}

/** `place` is written with `/`, from the root. */
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

/** With every link followed; of what is not there, the part that is. */
async function realOf(wanted: string): Promise<string> {
  const missing: string[] = []
  for (let at = wanted; ; at = path.dirname(at)) {
    try {
      return path.join(await realpath(at), ...missing)
    } catch (error) {
      if (!isErrno(error, 'ENOENT') || path.dirname(at) === at) throw error
      // A link to nothing leads somewhere all the same, and writing through it would make that.
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
