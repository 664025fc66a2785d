// @ts-check
/**
 * One consolidation in a process of its own: `consolidate-process.mjs PLACE LEASE_MS SCHEDULED_FOR HANGS_AT SCHEMA`. Says `distils`
 * before each cluster, never ends the one of that number, and at the end says its report.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { consolidate, consolidationCursor } from '@agentm/learning'
import { observation, semanticMemory } from '@agentm/memory'

const [place = '', leaseMs = '', scheduledFor = '', hangsAt = '', schema = ''] = process.argv.slice(2)
const concepts = [observation, semanticMemory, consolidationCursor]
const store = place.startsWith('postgres')
  ? await (await import('@agentm/nodes-postgres')).openPostgresStore({ url: place, schema, concepts })
  : await (await import('@agentm/nodes-sqlite')).openSqliteStore({ path: place, concepts })

let clusters = 0

/** @type {import('@agentm/learning').Distiller} */
const slow = {
  name: 'slow',
  leastEpisodes: 1,
  async distill({ episodes, signal }) {
    clusters += 1
    console.log('distils')
    await sleep(clusters === Number(hangsAt) ? 600_000 : 20, undefined, { signal })
    return { distilled: true, kind: 'fact', content: episodes[0]?.content ?? '', confidence: 0.6 }
  },
}

const report = await consolidate(
  { store, distiller: slow, settings: { leaseMs: Number(leaseMs) } },
  { owner: 'ada', scheduledFor: Number(scheduledFor) },
)
console.log(JSON.stringify(report))
await store.close()
