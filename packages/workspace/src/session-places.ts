/**
 * The project of the directory that an agent session worked in, and whether its sessions are private: by `capture.exclude` in the
 * user's config, or by a file in the directory or above it, up to the root of the checkout.
 */
import { existsSync } from 'node:fs'
import path from 'node:path'
import type { SessionPlace } from '@agentm/learning/sessions'
import { resolveProject, type RoutingWorld } from '@agentm/routing/reader'
import { partitionOf } from './partition-of.ts'

/** A file with this name makes a directory private. */
export const privateFileName = '.agentm-private'

export interface SessionPlacesOptions {
  readonly routing: RoutingWorld
  /** `capture.exclude`. */
  readonly exclude: readonly string[]
}

/** Each directory is looked at once. */
export function sessionPlaces({
  routing,
  exclude,
}: SessionPlacesOptions): (cwd: string | undefined) => Promise<SessionPlace> {
  const known = new Map<string, Promise<SessionPlace>>()
  const excluded = exclude.map((directory) => fromHome(directory, routing.selection.home))
  return async (cwd) => {
    if (cwd === undefined || !path.isAbsolute(cwd)) return { partition: '_global', isPrivate: false }
    const found = known.get(cwd) ?? placeOf(cwd, routing, excluded)
    known.set(cwd, found)
    return found
  }
}

async function placeOf(cwd: string, routing: RoutingWorld, excluded: readonly string[]): Promise<SessionPlace> {
  if (excluded.some((directory) => isWithin(cwd, directory))) return { partition: '_global', isPrivate: true }
  // A directory that was deleted belongs to no project that could be found, and not to all of them either.
  if (!existsSync(cwd)) return { partition: nameOf(cwd), isPrivate: false }
  const project = await resolveProject({ cwd }, routing)
  return { partition: partitionOf(project), isPrivate: hasPrivateFile(cwd, project.projectRoot) }
}

function hasPrivateFile(cwd: string, root: string): boolean {
  for (let at = cwd; ; at = path.dirname(at)) {
    if (existsSync(path.join(at, privateFileName))) return true
    if (at === root || at === path.dirname(at)) return existsSync(path.join(root, privateFileName))
  }
}

function isWithin(directory: string, parent: string): boolean {
  const from = path.relative(parent, directory)
  return from === '' || (!from.startsWith(`..${path.sep}`) && from !== '..' && !path.isAbsolute(from))
}

/** A directory as a person writes it in the config. */
export function fromHome(directory: string, home: string): string {
  return directory === '~' || directory.startsWith('~/') ? path.join(home, directory.slice(1)) : path.resolve(directory)
}

function nameOf(cwd: string): string {
  const name = path
    .basename(cwd)
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .replaceAll(/^[-._]+|[-._]+$/g, '')
  return name === '' ? '_gone' : name
}
