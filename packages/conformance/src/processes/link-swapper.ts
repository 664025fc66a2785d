/**
 * A program that repeatedly replaces parts of a store by links and restores them, as fast as it can, until it is killed. It replaces every
 * part of a path: a file, the folder around it, and a folder further up.
 */
import { renameSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

export interface SwappedStore {
  readonly root: string
  readonly outside: string
  /** Relative to both directories. */
  readonly places: readonly string[]
}

const { root, outside, places } = JSON.parse(process.argv[2] ?? '') as SwappedStore
const parent = process.ppid

for (let i = 0; process.ppid === parent; i++) {
  const place = places[i % places.length] ?? ''
  const there = join(root, place)
  const aside = join(root, `aside-${i % places.length}`)
  // A part that the store has just written or removed is a valid layout too.
  attempt(() => renameSync(there, aside))
  attempt(() => symlinkSync(join(outside, place), there))
  pause(i)
  attempt(() => rmSync(there))
  attempt(() => renameSync(aside, there))
  pause(i + 1)
}

function attempt(change: () => void): void {
  try {
    change()
  } catch {
    // The store changed it first.
  }
}

/** Pauses of different lengths, so that the store cannot run in step with them. */
function pause(i: number): void {
  const until = performance.now() + ((i * 7) % 13) * 0.02
  while (performance.now() < until);
}
