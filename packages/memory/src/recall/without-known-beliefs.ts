/**
 * Removes published beliefs that were already found elsewhere. The log is the source for beliefs that it contains, even if it says
 * that one has ended. If several devices published a belief, the newest version counts.
 */
import type { MemoryContext } from '../memory-context.ts'
import type { FoundItem } from './pure/rank-found.ts'

export async function withoutKnownBeliefs(
  { log, owner }: MemoryContext,
  items: readonly FoundItem[],
): Promise<readonly FoundItem[]> {
  const published = items.filter(({ of }) => of === 'belief')
  if (published.length === 0) return items
  const ids = [...new Set(published.map(({ id }) => id))]
  const known = new Set((await log?.scan({ owner, ids, limit: ids.length }))?.nodes.map(({ id }) => id))
  const newest = new Map<string, FoundItem>()
  for (const item of published.filter(({ id }) => !known.has(id))) {
    const other = newest.get(item.id)
    if (other === undefined || isNewer(item, other)) newest.set(item.id, item)
  }
  return items.filter((item) => item.of !== 'belief' || newest.get(item.id) === item)
}

function isNewer(a: FoundItem, b: FoundItem): boolean {
  const [one, other] = [a.version ?? 0, b.version ?? 0]
  return one === other ? String(a.key) < String(b.key) : one > other
}
