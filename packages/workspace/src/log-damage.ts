import type { NodesPlace } from './nodes-place.ts'

/** What is wrong with the file of the log, in words. Nothing where it is whole, where there is none, and for one on a server. */
export async function logDamage({ file }: NodesPlace): Promise<readonly string[]> {
  if (file === undefined) return []
  const { findSqliteDamage } = await import('@agentm/nodes-sqlite/repair')
  return findSqliteDamage(file)
}
