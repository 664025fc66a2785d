/**
 * Puts the active beliefs of this device into the store as notes, so that other devices recall them and people read them.
 * Made from the log and nothing else: dropped and published again, the same bytes.
 */
import { type Head, type NodeLog, parseId, type ScanQuery } from '@agentm/nodes'
import { contentHash, isSeamError, type Locator } from '@agentm/storage-seam'
import type { MemoryContext } from './memory-context.ts'
import { beliefsHome } from './pure/note-place.ts'
import { noteText } from './pure/note.ts'
import { readIfPresent } from './read-if-present.ts'
import { semanticMemory } from './semantic-memory.ts'

export async function publishBeliefs(
  context: MemoryContext,
  { log, deviceId }: { readonly log: NodeLog; readonly deviceId: string },
): Promise<void> {
  const { backend, places, owner } = context
  const home = places.at(`${beliefsHome}/${deviceId}`)
  const wanted = new Map(
    (await activeBeliefs(log, owner)).map((belief) => [
      home.child(`${slugOf(belief)}.md`).key,
      beliefText(belief, deviceId),
    ]),
  )
  for (const [key, text] of wanted) {
    const there = await readIfPresent(backend, places.at(key))
    if (there !== text) await backend.write(places.at(key), text)
  }
  for (const at of await backend.list(home)) if (!wanted.has(at.key)) await withdraw(context, at)
}

async function activeBeliefs(log: NodeLog, owner: string): Promise<readonly Head[]> {
  const found: Head[] = []
  let cursor: string | undefined
  do {
    const query: ScanQuery = {
      owner,
      concepts: [semanticMemory.name],
      status: 'active',
      ...(cursor === undefined ? {} : { cursor }),
    }
    const page = await log.scan(query)
    found.push(...page.nodes.filter(({ redacted }) => !redacted))
    cursor = page.cursor
  } while (cursor !== undefined)
  return found
}

/** Ids from elsewhere may hold what a file name cannot. */
function slugOf({ id }: Head): string {
  const { short } = parseId(id)
  return /^[a-z0-9-]{1,80}$/.test(short) ? short : contentHash(id).slice(0, 32)
}

/** A belief that is no longer held is withdrawn, unless somebody removed it first. */
async function withdraw({ backend }: MemoryContext, at: Locator): Promise<void> {
  try {
    await backend.remove(at)
  } catch (error) {
    if (!isSeamError(error, 'NOT_FOUND')) throw error
  }
}

function dayOf(value: unknown): string {
  return String(value).slice(0, 10)
}

function beliefText(belief: Head, deviceId: string): string {
  const { id, version, owner, partition, payload } = belief
  const fields = {
    kind: String(payload['kind']),
    status: 'active',
    created: dayOf(payload['lastReinforced']),
    updated: dayOf(payload['lastReinforced']),
    tags: [],
    group: `${beliefsHome}/${deviceId}`,
    slug: slugOf(belief),
    always_load: false,
    belief: id,
    version,
    owner,
    partition,
    confidence: Number(payload['confidence']),
    sources: Array.isArray(payload['sourceEpisodes']) ? payload['sourceEpisodes'].map(String) : [],
  }
  return noteText(fields, String(payload['content']))
}
