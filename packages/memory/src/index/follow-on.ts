/**
 * Updates the index for a question within its time, and goes on with the rest afterwards. So the first answer among many new notes comes soon,
 * and a process that lives on has the whole index a little later.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { IndexDrift, NoteIndex } from './note-index.ts'

const pauseMs = 100

type Options = Parameters<NoteIndex['follow']>[0]

export function followOn(index: NoteIndex): (options: Options) => Promise<IndexDrift> {
  let rest: Promise<void> | undefined
  const finish = async () => {
    try {
      // A command that has answered ends before that.
      await sleep(pauseMs, undefined, { ref: false })
      await index.follow()
    } catch {
      // The memory was closed, or the store is away. The next question begins where this ended.
    }
    rest = undefined
  }
  return async (options) => {
    const drift = await index.follow(options)
    if (drift.unindexed > 0) rest ??= finish()
    return drift
  }
}
