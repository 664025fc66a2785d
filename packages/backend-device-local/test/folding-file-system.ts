/**
 * The disk of this machine, below one directory as a disk that takes names for one that differ in case, or in the form of an
 * accent: what is asked for in one spelling is answered with what is there in another. Names are kept as
 * `asMade` makes them.
 */
import { readdirSync } from 'node:fs'
import { join, sep } from 'node:path'
import type { FileSystem } from '@agentm/vault-lock'
import { byPathFileSystem as disk } from './by-path-file-system.ts'

export function foldingFileSystem(
  below: string,
  platform: NodeJS.Platform,
  asMade: (name: string) => string = (name) => name,
): FileSystem {
  const kept = (place: string) => keptAs(below, place, asMade)
  return {
    ...disk,
    platform,
    open: async (place, flags, mode) => disk.open(kept(place), flags, mode),
    rename: async (from, to) => disk.rename(kept(from), kept(to)),
    link: async (file, name) => disk.link(kept(file), kept(name)),
    unlink: async (place) => disk.unlink(kept(place)),
    mkdir: async (place, options) => disk.mkdir(kept(place), options),
    rmdir: async (place) => disk.rmdir(kept(place)),
    stat: async (place) => disk.stat(kept(place)),
    lstat: async (place) => disk.lstat(kept(place)),
    lstatAll: async (places) => disk.lstatAll(places.map(kept)),
    readlink: async (place) => disk.readlink(kept(place)),
    realpath: async (place) => disk.realpath(kept(place)),
    readdir: async (place) => disk.readdir(kept(place)),
    readdirBytes: async (place) => disk.readdirBytes(kept(place)),
    readFile: async (place) => disk.readFile(kept(place)),
    utimes: async (place, accessed, modified) => disk.utimes(kept(place), accessed, modified),
  }
}

/** Each name as it is kept in its directory; as it would be made where nothing is. */
function keptAs(below: string, place: string, asMade: (name: string) => string): string {
  if (!place.startsWith(below + sep)) return place
  const names = place.slice(below.length + 1).split(sep)
  return names.reduce((at, name) => {
    const there = namesIn(at).find((each) => folded(each) === folded(name))
    return join(at, there ?? asMade(name))
  }, below)
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory)
  } catch {
    return []
  }
}

function folded(name: string): string {
  return name.normalize('NFD').toLowerCase()
}
