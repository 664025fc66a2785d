/** Beliefs for a person: list them, show where one comes from, or forget one. */
import { composeId, type Node, type NodeLog, scanHeads } from '@agentm/nodes'
import { changeBelief, confirmed, corrected, type Decided, forgotten } from './change-belief.ts'
import type { BeliefKind } from '../distillers/distiller.ts'
import { episodeOf } from '../episodes/pure/episode.ts'
import { NoteAbsentError } from '@agentm/memory/errors'
import { semanticMemory } from '@agentm/memory'

/** A belief in the form that is shown to a person. */
export interface ShelvedBelief {
  readonly id: string
  readonly kind: BeliefKind
  readonly content: string
  readonly status: 'active' | 'pruned'
  readonly confidence: number
  readonly reinforceCount: number
  readonly lastReinforced: string
  readonly partition: string
  readonly provenance: 'distilled' | 'operator'
  readonly sources: readonly string[]
  readonly prunedBy?: string
  readonly supersedes?: string
  readonly supersededBy?: string
  /** It was learned from agent sessions, and no person has confirmed it. */
  readonly isUnconfirmed?: true
}

/** A belief with the episodes it was made from. */
export interface BeliefStory extends ShelvedBelief {
  /** The episodes it was learned from; without text if they were erased or can no longer be read. */
  readonly episodes: readonly {
    readonly id: string
    readonly kind?: string
    readonly at?: number
    readonly content?: string
  }[]
  /** Oldest first. */
  readonly versions: readonly {
    readonly version: number
    readonly at: number
    readonly what: string
    readonly confidence: number
    readonly content: string
  }[]
}

/** Beliefs for a person to look through: list, explain, confirm, correct, forget. */
export interface BeliefShelf {
  /** Highest confidence first. */
  list(filter?: {
    readonly status?: 'active' | 'pruned'
    readonly partition?: string
  }): Promise<readonly ShelvedBelief[]>
  /** By its id, the short part of the id, or a unique beginning of it. */
  show(id: string): Promise<BeliefStory>
  /** Returns whether the belief was active until now. */
  prune(id: string): Promise<{ readonly id: string; readonly wasActive: boolean }>
  /** A person says that it is true: its confidence is 1 again. */
  confirm(id: string): Promise<{ readonly id: string }>
  /** A person words it anew. Their words are kept, and the former ones are not learned again. */
  correct(id: string, statement: string): Promise<{ readonly id: string }>
}

/**
 * Opens the beliefs of one owner.
 *
 * @example
 * ```ts
 * import { createInMemoryStore } from '@agentm/conformance/logs'
 * import { beliefShelf } from '@agentm/learning'
 * import { observation, semanticMemory } from '@agentm/memory'
 *
 * const { log } = createInMemoryStore({ concepts: [observation, semanticMemory] })
 * console.log((await beliefShelf({ log, owner: 'ada' }).list()).length) // 0
 * ```
 */
export function beliefShelf({
  log,
  owner,
  actor = 'memory',
  now = Date.now,
}: {
  readonly log: NodeLog
  readonly owner: string
  readonly actor?: string
  readonly now?: () => number
}): BeliefShelf {
  const find = async (text: string) => findBelief(log, owner, text)
  const change = async (text: string, decide: (head: Node) => Decided | undefined) =>
    changeBelief({ log, owner, actor, find: async () => find(text) }, decide)
  return {
    async list({ status, partition } = {}) {
      const query = {
        owner,
        concepts: [semanticMemory.name],
        ...given('status', status),
        ...given('partition', partition),
      }
      const beliefs: ShelvedBelief[] = []
      for await (const head of scanHeads(log, query)) if (!head.redacted) beliefs.push(shelved(head))
      return beliefs.toSorted((a, b) => b.confidence - a.confidence || (a.id < b.id ? -1 : 1))
    },
    async show(text) {
      const head = await find(text)
      const belief = shelved(head)
      const versions = await log.history(head.id, { owner })
      return {
        ...belief,
        episodes: await episodesOf(log, owner, belief.sources),
        versions: versions.map((version) => ({
          version: version.version,
          at: version.createdAt,
          what: version.provenanceMutation,
          confidence: shelved(version).confidence,
          content: shelved(version).content,
        })),
      }
    },
    async prune(text) {
      const { id, changed } = await change(text, forgotten)
      return { id, wasActive: changed }
    },
    async confirm(text) {
      const { id } = await change(text, (head) => confirmed(head, now()))
      return { id }
    },
    async correct(text, statement) {
      const { id } = await change(text, (head) => corrected(head, statement, now()))
      return { id }
    },
  }
}

async function findBelief(log: NodeLog, owner: string, text: string): Promise<Node> {
  const exact = isShort(text) ? await log.latest(composeId(semanticMemory.name, text), { owner }) : undefined
  if (exact !== undefined && !exact.redacted) return exact
  const short = text.replace(`${semanticMemory.name}:`, '')
  const found: Node[] = []
  if (short.length >= 4)
    for await (const head of scanHeads(log, { owner, concepts: [semanticMemory.name] }))
      if (!head.redacted && head.id.startsWith(`${semanticMemory.name}:${short}`)) found.push(head)
  const [only, ...others] = found
  if (only === undefined || others.length > 0) throw new NoteAbsentError(text)
  return only
}

function isShort(text: string): boolean {
  return /^[^\s:]{1,200}$/.test(text.replace(`${semanticMemory.name}:`, ''))
}

function shelved({ id, partition, payload, status }: Node): ShelvedBelief {
  const text = (name: string) => (typeof payload[name] === 'string' ? payload[name] : '')
  const kind = text('kind')
  return {
    id,
    partition,
    kind: kind === 'preference' || kind === 'outcome' ? kind : 'fact',
    content: text('content'),
    status: status === 'active' ? 'active' : 'pruned',
    confidence: Number(payload['confidence'] ?? 0),
    reinforceCount: Number(payload['reinforceCount'] ?? 1),
    lastReinforced: text('lastReinforced'),
    provenance: text('provenance') === 'operator' ? 'operator' : 'distilled',
    sources: Array.isArray(payload['sourceEpisodes']) ? payload['sourceEpisodes'].map(String) : [],
    ...given('prunedBy', text('prunedBy') || undefined),
    ...given('supersedes', text('supersedes') || undefined),
    ...given('supersededBy', text('supersededBy') || undefined),
    ...given('isUnconfirmed', text('origin') === 'sessions' && text('confirmedAt') === '' ? true : undefined),
  }
}

async function episodesOf(log: NodeLog, owner: string, ids: readonly string[]): Promise<BeliefStory['episodes']> {
  if (ids.length === 0) return []
  const known = new Map<string, BeliefStory['episodes'][number]>()
  for await (const head of scanHeads(log, { owner, ids })) {
    const episode = episodeOf(head)
    if (episode !== undefined)
      known.set(head.id, { id: head.id, kind: episode.kind, at: episode.createdAt, content: episode.content })
  }
  return ids.map((id) => known.get(id) ?? { id })
}

function given<K extends string, V>(key: K, value: V | undefined): { readonly [P in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [P in K]?: V })
}
