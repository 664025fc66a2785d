/**
 * Gives free pages back to the file system, a few at a time. Each piece moves pages from the end of the file into free ones and shortens the
 * file, in a transaction of a few milliseconds. Only a file that was made for it can do this; an older one is rewritten once, if what remains
 * is small or when a program opens it alone.
 */
import { giveBackSpace, isIncremental } from './give-back-space.ts'
import type { StoreContext } from './store-context.ts'

/** Of four kilobytes each: two megabytes. */
const pagesAtOnce = 512
/** Most of the time belongs to other writers. */
const restFactor = 2
const leastRestMs = 2

export async function reclaimSpace(
  { queue, writer, runtime, isClosed }: StoreContext,
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<void> {
  const isOver = () => signal?.aborted === true || isClosed()
  if (!isIncremental(writer)) await queue.alone(() => giveBackSpace(writer))
  while (!isOver() && writer.number('pragma freelist_count') > 0) {
    const started = performance.now()
    const before = writer.number('pragma freelist_count')
    await queue.run(() => writer.exec(`pragma incremental_vacuum(${pagesAtOnce})`), { durability: 'normal' })
    if (writer.number('pragma freelist_count') >= before) break
    const took = performance.now() - started
    await runtime.sleep(Math.max(leastRestMs, took * restFactor), signal)
  }
  if (!isOver()) await queue.alone(() => writer.exec('pragma wal_checkpoint(passive)'))
}
