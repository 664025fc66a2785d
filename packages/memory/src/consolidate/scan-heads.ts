import type { Head, NodeLog, ScanQuery } from '@agentm/nodes'

/** Every page of a scan, one head after the other. */
export async function* scanHeads(log: NodeLog, query: Omit<ScanQuery, 'versions' | 'cursor'>): AsyncGenerator<Head> {
  let cursor: string | undefined
  do {
    const asked: ScanQuery = { ...query, ...(cursor === undefined ? {} : { cursor }) }
    const page = await log.scan(asked)
    yield* page.nodes
    cursor = page.cursor
  } while (cursor !== undefined)
}
