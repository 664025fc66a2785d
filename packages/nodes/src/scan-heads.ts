import type { Head } from './node.ts'
import type { NodeLog, ScanQuery } from './node-log.ts'

export type HeadQuery = Omit<ScanQuery, 'versions' | 'cursor'>

/**
 * Iterates over all pages of a scan, one head at a time.
 *
 * @example
 * ```ts
 * import { createInMemoryStore } from '@agentm/conformance/logs'
 * import { scanHeads } from '@agentm/nodes'
 *
 * const { log } = createInMemoryStore({ concepts: [] })
 * for await (const head of scanHeads(log, { owner: 'ada' })) console.log(head.id)
 * ```
 */
export async function* scanHeads(log: Pick<NodeLog, 'scan'>, query: HeadQuery): AsyncGenerator<Head> {
  let cursor: string | undefined
  do {
    const asked: ScanQuery = { ...query, ...(cursor === undefined ? {} : { cursor }) }
    const page = await log.scan(asked)
    yield* page.nodes
    cursor = page.cursor
  } while (cursor !== undefined)
}
