/**
 * The program that puts links in the place of what is in a store, and takes them away again, as fast as it can, until it is
 * killed. Every way through a store is swapped: a file, the folder around it, and a folder further up.
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
  // What the store has just written anew, or removed, is a layout as well.
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
    // The store was faster.
  }
}

/** Of different lengths, so that no rhythm of the store's keeps clear of it. */
function pause(i: number): void {
  const until = performance.now() + ((i * 7) % 13) * 0.02
  while (performance.now() < until);
}
