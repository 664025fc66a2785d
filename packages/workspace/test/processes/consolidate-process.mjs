// @ts-check
/**
 * One consolidation in a process of its own: `consolidate-process.mjs PLACE LEASE_MS SCHEDULED_FOR DISTIL_MS SCHEMA`. Says `distils`
 * before each cluster and, at the end, its report.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { consolidate, consolidationCursor, observation, semanticMemory } from '@agentm/memory'

const [place = '', leaseMs = '', scheduledFor = '', distilMs = '', schema = ''] = process.argv.slice(2)
const concepts = [observation, semanticMemory, consolidationCursor]
const store = place.startsWith('postgres')
  ? await (await import('@agentm/nodes-postgres')).openPostgresStore({ url: place, schema, concepts })
  : await (await import('@agentm/nodes-sqlite')).openSqliteLog({ path: /** @type {any} */ (place), concepts })

/** @type {import('@agentm/memory').Distiller} */
const slow = {
  name: 'slow',
  leastEpisodes: 1,
  async distill({ episodes, signal }) {
    console.log('distils')
    await sleep(Number(distilMs), undefined, { signal })
    return { distilled: true, kind: 'fact', content: episodes[0]?.content ?? '', confidence: 0.6 }
  },
}

const report = await consolidate(
  { store, distiller: slow, settings: { leaseMs: Number(leaseMs) } },
  { owner: 'ada', scheduledFor: Number(scheduledFor) },
)
console.log(JSON.stringify(report))
await store.close()
