import type { NodesPlace } from './nodes-place.ts'

/** The damage of the log file, as text; empty if the file is intact or absent, or if the log is on a server. */
export async function logDamage({ file }: NodesPlace): Promise<readonly string[]> {
  if (file === undefined) return []
  const { findSqliteDamage } = await import('@agentm/nodes-sqlite/repair')
  return findSqliteDamage(file)
}
