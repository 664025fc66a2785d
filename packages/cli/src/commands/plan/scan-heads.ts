import type { Head, NodeLog, ScanQuery } from '@agentm/nodes'

/** Every page of a scan. */
export async function scanHeads(log: Pick<NodeLog, 'scan'>, query: ScanQuery): Promise<readonly Head[]> {
  const heads: Head[] = []
  let cursor: string | undefined
  do {
    const page = await log.scan({ limit: 10_000, ...query, ...(cursor === undefined ? {} : { cursor }) })
    heads.push(...page.nodes)
    cursor = page.cursor
  } while (cursor !== undefined)
  return heads
}
