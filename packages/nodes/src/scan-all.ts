import type { Head } from './node.ts'
import type { NodeLog } from './node-log.ts'
import { type HeadQuery, scanHeads } from './scan-heads.ts'

/**
 * All heads of a scan in one array.
 *
 * @example
 * ```ts
 * import { createInMemoryStore } from '@agentm/conformance/logs'
 * import { scanAll } from '@agentm/nodes'
 *
 * const { log } = createInMemoryStore({ concepts: [] })
 * console.log((await scanAll(log, { owner: 'ada' })).length) // 0
 * ```
 */
export async function scanAll(log: Pick<NodeLog, 'scan'>, query: HeadQuery): Promise<readonly Head[]> {
  const heads: Head[] = []
  for await (const head of scanHeads(log, { limit: 10_000, ...query })) heads.push(head)
  return heads
}
