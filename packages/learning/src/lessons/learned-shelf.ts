/** What was learned from agent sessions, for a person: list it with its evidence, accept, edit or reject it. */
import { findSecrets, type Head, isNodesError, type Node, type NodeLog, scanHeads } from '@agentm/nodes'
import { semanticMemory } from '@agentm/memory'
import { NoteAbsentError } from '@agentm/memory/errors'
import { LessonRefusedError } from '../learning-errors.ts'
import { sessionTurn } from '../sessions/session-turn.ts'
import type { LessonKind } from './pure/lesson.ts'

/** A turn of an agent session that a lesson comes from. */
export interface LessonEvidence {
  /** The id of the turn's node. */
  readonly turn: string
  /** Absent if the turn was erased. */
  readonly seen?: {
    readonly host: string
    /** The host's id of the agent session. */
    readonly session: string
    readonly number: number
    /** The first and the last record in the host's file. */
    readonly records: readonly [number, number]
    readonly at: string
    readonly asked: string
  }
}

/** One statement that was learned from agent sessions. */
export interface LearnedLesson {
  readonly id: string
  readonly kind: LessonKind
  readonly statement: string
  readonly status: 'waiting' | 'accepted' | 'rejected' | 'replaced' | 'faded'
  readonly confidence: number
  readonly partition: string
  readonly formedAt: string
  /** When it was last seen. */
  readonly evidenceAt: string
  /** A person changed its text. */
  readonly isEdited: boolean
  /** The note that it became. */
  readonly note?: string
  readonly evidence: readonly LessonEvidence[]
}

/** What was learned from agent sessions, for a person to decide about. */
export interface LearnedShelf {
  /** Newest first (default: those that wait, of all projects). */
  list(filter?: {
    readonly partition?: string
    readonly status?: LearnedLesson['status']
  }): Promise<readonly LearnedLesson[]>
  count(partition: string): Promise<number>
  /** By its id, or a unique beginning of it. */
  show(id: string): Promise<LearnedLesson>
  /** A person accepted it, and this note says it from now on. */
  accept(id: string, note: string): Promise<LearnedLesson>
  /** A person words it anew. It still waits. */
  edit(id: string, statement: string): Promise<LearnedLesson>
  /** It is not learned again, in other words either. */
  reject(id: string): Promise<LearnedLesson>
}

/** Whose lessons, and in which log. */
export interface LearnedShelfOptions {
  readonly log: NodeLog
  readonly owner: string
  readonly actor?: string
  readonly now?: () => number
}

/**
 * Opens what was learned from the agent sessions of one owner.
 *
 * @example
 * ```ts
 * import { createInMemoryStore } from '@agentm/conformance/logs'
 * import { learnedShelf } from '@agentm/learning/lessons'
 * import { semanticMemory } from '@agentm/memory'
 *
 * const { log } = createInMemoryStore({ concepts: [semanticMemory] })
 * console.log((await learnedShelf({ log, owner: 'ada' }).list()).length) // 0
 * ```
 */
export function learnedShelf(options: LearnedShelfOptions): LearnedShelf {
  return new Shelf(options)
}

class Shelf implements LearnedShelf {
  readonly #log: NodeLog
  readonly #owner: string
  readonly #actor: string
  readonly #now: () => number

  constructor({ log, owner, actor = 'memory', now = Date.now }: LearnedShelfOptions) {
    this.#log = log
    this.#owner = owner
    this.#actor = actor
    this.#now = now
  }

  async list({ partition, status = 'waiting' }: Parameters<LearnedShelf['list']>[0] = {}) {
    const found: LearnedLesson[] = []
    for (const head of await this.#heads(partition)) {
      if (statusOf(head) === status) found.push(await this.#lesson(head))
    }
    return found.toSorted((a, b) =>
      a.evidenceAt < b.evidenceAt ? 1 : a.evidenceAt > b.evidenceAt ? -1 : a.id < b.id ? -1 : 1,
    )
  }

  async count(partition: string): Promise<number> {
    return (await this.#heads(partition)).filter((head) => statusOf(head) === 'waiting').length
  }

  async show(id: string): Promise<LearnedLesson> {
    return this.#lesson(await this.#find(id))
  }

  async accept(id: string, note: string): Promise<LearnedLesson> {
    const payload = { status: 'pruned', prunedBy: 'accepted', confirmedAt: this.#time(), note }
    return this.#change(id, 'acceptLesson', () => payload)
  }

  async edit(id: string, statement: string): Promise<LearnedLesson> {
    const content = statement.trim()
    const secrets = findSecrets(content).map(({ kind }) => kind)
    if (content === '') throw new LessonRefusedError('it has no text. To get rid of it, reject it')
    if (secrets.length > 0) throw new LessonRefusedError(`it holds what looks like a secret (${secrets.join(', ')})`)
    return this.#change(id, 'editLesson', ({ payload }) => {
      const before = Array.isArray(payload['editedFrom']) ? payload['editedFrom'].map(String) : []
      const editedFrom = [...new Set([...before, String(payload['content'])])]
      return { content, provenance: 'operator', editedFrom, lastReinforced: this.#time() }
    })
  }

  async reject(id: string): Promise<LearnedLesson> {
    return this.#change(id, 'rejectLesson', () => ({ status: 'pruned', prunedBy: 'operator' }))
  }

  async #change(id: string, mutation: string, payloadOf: (head: Node) => Node['payload']): Promise<LearnedLesson> {
    for (;;) {
      const head = await this.#find(id)
      const status = statusOf(head)
      if (status !== 'waiting') throw new LessonRefusedError(`it does not wait any more: it is ${status}`)
      const draft = { concept: semanticMemory.name, id: head.id, payload: payloadOf(head), mutation, update: true }
      try {
        const expects = { [head.id]: head.version }
        const [after = head] = await this.#log.append([draft], { owner: this.#owner, actor: this.#actor, expects })
        return await this.#lesson(after)
      } catch (error) {
        if (!isNodesError(error, 'VERSION_CONFLICT')) throw error
      }
    }
  }

  #time(): string {
    return new Date(this.#now()).toISOString()
  }

  async #heads(partition?: string): Promise<readonly Head[]> {
    const only = partition === undefined ? {} : { partition }
    const heads: Head[] = []
    for await (const head of scanHeads(this.#log, { owner: this.#owner, concepts: [semanticMemory.name], ...only }))
      if (!head.redacted && head.payload['origin'] === 'sessions') heads.push(head)
    return heads
  }

  async #find(text: string): Promise<Head> {
    const short = text.replace(`${semanticMemory.name}:`, '')
    const all = short.length < 4 ? [] : await this.#heads()
    const [only, ...others] = all.filter(({ id }) => id.startsWith(`${semanticMemory.name}:${short}`))
    if (only === undefined || others.length > 0) throw new NoteAbsentError(text)
    return only
  }

  async #lesson(head: Node): Promise<LearnedLesson> {
    const { id, partition, payload } = head
    const text = (name: string) => (typeof payload[name] === 'string' ? payload[name] : '')
    const sources = Array.isArray(payload['sourceEpisodes']) ? payload['sourceEpisodes'].map(String) : []
    const note = text('note')
    return {
      id,
      partition,
      // The schema of the log admits no other kind.
      kind: text('lesson') as LessonKind,
      statement: text('content'),
      status: statusOf(head),
      confidence: Number(payload['confidence'] ?? 0),
      formedAt: text('formedAt'),
      evidenceAt: text('evidenceAt'),
      isEdited: text('provenance') === 'operator',
      ...(note === '' ? {} : { note }),
      evidence: await this.#evidence(sources),
    }
  }

  async #evidence(ids: readonly string[]): Promise<readonly LessonEvidence[]> {
    if (ids.length === 0) return []
    const seen = new Map<string, LessonEvidence>()
    for await (const head of scanHeads(this.#log, { owner: this.#owner, ids })) {
      const evidence = evidenceOf(head)
      if (evidence !== undefined) seen.set(head.id, evidence)
    }
    return ids.map((turn) => seen.get(turn) ?? { turn })
  }
}

function evidenceOf({ id, concept, payload, redacted, createdAt }: Head): LessonEvidence | undefined {
  if (redacted || concept !== sessionTurn.name) return undefined
  const text = (name: string) => (typeof payload[name] === 'string' ? payload[name] : '')
  const [first, last]: readonly unknown[] = Array.isArray(payload['records']) ? payload['records'] : []
  return {
    turn: id,
    seen: {
      host: text('host'),
      session: text('session'),
      number: Number(payload['turn'] ?? 0),
      records: [Number(first ?? 0), Number(last ?? 0)],
      at: text('startedAt') || new Date(createdAt).toISOString(),
      asked: text('asked'),
    },
  }
}

function statusOf({ status, payload }: Node): LearnedLesson['status'] {
  if (status === 'active') return 'waiting'
  switch (payload['prunedBy']) {
    case 'accepted':
      return 'accepted'
    case 'operator':
      return 'rejected'
    case 'superseded':
    case 'agent':
      return 'replaced'
    default:
      return 'faded'
  }
}
