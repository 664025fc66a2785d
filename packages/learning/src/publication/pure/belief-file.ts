/** A belief as a note: the statement above a line, its sources below it. The same belief gives the same bytes. */
import { type Node, parseId } from '@agentm/nodes'
import { contentHash } from '@agentm/storage-seam'
import { beliefsHome, noteText } from '@agentm/memory/notes'

/** Replaces characters that a file name cannot contain, because ids can come from elsewhere. */
export function beliefSlug(id: string): string {
  const { short } = parseId(id)
  return /^[a-z0-9-]{1,80}$/.test(short) ? short : contentHash(id).slice(0, 32)
}

export function beliefFile(belief: Node, deviceId: string): string {
  const { id, version, owner, partition, payload } = belief
  const text = (name: string) => (typeof payload[name] === 'string' ? payload[name] : undefined)
  const sources = Array.isArray(payload['sourceEpisodes']) ? payload['sourceEpisodes'].map(String) : []
  const confidence = Math.round(Number(payload['confidence']) * 1000) / 1000
  const fields = {
    kind: text('kind') ?? 'fact',
    status: 'active',
    created: dayOf(text('formedAt') ?? text('lastReinforced')),
    updated: dayOf(text('lastReinforced')),
    tags: [],
    group: `${beliefsHome}/${deviceId}`,
    slug: beliefSlug(id),
    always_load: false,
    belief: id,
    version,
    owner,
    partition,
    confidence,
    provenance: text('provenance') ?? 'distilled',
    replaces: text('supersedes'),
    sources,
  }
  const from = sources.length === 0 ? 'no episode' : sources.map(link).join(', ')
  const confirmed = `Confidence ${confidence}, confirmed ${dayOf(text('lastReinforced'))}.`
  return noteText(fields, `${text('content') ?? ''}\n\n---\n\nFormed from ${from}. ${confirmed} ${help}`)
}

const help = 'Edit the text above the line and your words stay; delete this file and the belief is forgotten.'

/** `agentm beliefs show` prints the sources. */
function link(id: string): string {
  const { concept, short } = parseId(id)
  return `[${concept.split(':').at(-1)} ${short.slice(0, 8)}](agentm:${id})`
}

function dayOf(value: string | undefined): string {
  return String(value).slice(0, 10)
}
