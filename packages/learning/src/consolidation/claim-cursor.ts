/**
 * The right to consolidate one owner: the cursor names a live session. A run takes it with an append that expects the version it
 * read. All writes of the run expect the cursor at its own version, so a run that was suspended beyond the end of its lease can
 * write nothing.
 */
import { deriveId, type Draft, isNodesError, type Payload, type Session } from '@agentm/nodes'
import { consolidationCursor } from './consolidation-cursor.ts'
import { ConsolidationLostError } from '../learning-errors.ts'
import type { ConsolidationContext } from './consolidation-context.ts'
import { consolidationActor } from '../episodes/pure/episode.ts'
import { type Cursor, cursorOf, progressOf } from './pure/cursor.ts'

export interface Claim {
  readonly cursor: Cursor
  /** Aborted when the lease is lost. */
  readonly signal: AbortSignal
  /** Appends drafts of one partition together with the progress of the cursor. Throws once another run has the cursor. */
  append(drafts: readonly Draft[], how?: AppendHow): Promise<void>
  /** Renews the lease when it is due, because a timer alone may be late under load. */
  keep(): Promise<void>
  release(): Promise<void>
}

export interface AppendHow {
  readonly partition?: string
  readonly expects?: Readonly<Record<string, number>>
  readonly progress?: Payload
}

export type Claimed =
  | { readonly won: true; readonly claim: Claim }
  | { readonly won: false; readonly why: 'busy'; readonly until: number }
  | { readonly won: false; readonly why: 'served' }

export function cursorIdOf(owner: string): string {
  return deriveId(consolidationCursor.name, owner)
}

export async function readCursor({ store }: Pick<ConsolidationContext, 'store'>, owner: string): Promise<Cursor> {
  return cursorOf(await store.log.latest(cursorIdOf(owner), { owner }))
}

export async function claimCursor(
  context: ConsolidationContext,
  owner: string,
  { scheduledFor }: { readonly scheduledFor?: number | undefined },
): Promise<Claimed> {
  for (;;) {
    const cursor = await readCursor(context, owner)
    if (scheduledFor !== undefined && (cursor.scheduledFor ?? -1) >= scheduledFor) return { won: false, why: 'served' }
    const holder = await liveHolder(context, cursor.session)
    if (holder !== undefined) return { won: false, why: 'busy', until: holder.leaseUntil }
    const claim = await take(context, owner, cursor)
    if (claim !== undefined) return { won: true, claim }
  }
}

async function liveHolder({ store }: ConsolidationContext, session: string | undefined): Promise<Session | undefined> {
  if (session === undefined) return undefined
  const [now, sessions] = [await store.work.now(), await store.work.sessions()]
  return sessions.find(({ id, leaseUntil }) => id === session && leaseUntil > now)
}

/** `undefined` if another process was faster. */
async function take(context: ConsolidationContext, owner: string, cursor: Cursor): Promise<Claim | undefined> {
  const { store, settings, facts } = context
  const session = await store.work.openSession({ actor: consolidationActor, leaseMs: settings.leaseMs, facts })
  try {
    const version = await write(context, {
      owner,
      version: cursor.version,
      drafts: [cursorDraft(owner, { ...progressOf(cursor), session: session.id }, 'claim')],
    })
    return holding(context, { owner, session: session.id, cursor: { ...cursor, version } })
  } catch (error) {
    await store.work.closeSession(session.id)
    if (isNodesError(error, 'VERSION_CONFLICT')) return undefined
    throw error
  }
}

function holding(
  context: ConsolidationContext,
  { owner, session, cursor }: { readonly owner: string; readonly session: string; readonly cursor: Cursor },
): Claim {
  const lost = new AbortController()
  const over = new AbortController()
  const lease = new Lease(context, session, { owner, lost })
  const beating = beat(context, lease, { lost: lost.signal, over: over.signal })
  let { version } = cursor
  const append = async (drafts: readonly Draft[], { progress, ...how }: AppendHow = {}) => {
    lost.signal.throwIfAborted()
    const more = progress === undefined ? [] : [cursorDraft(owner, progress, 'progress')]
    try {
      version = await write(context, { owner, version, drafts: [...drafts, ...more], ...how })
    } catch (error) {
      if (isNodesError(error, 'VERSION_CONFLICT') && 'id' in error && error.id === cursorIdOf(owner))
        throw new ConsolidationLostError(owner, { cause: error })
      throw error
    }
  }
  return {
    cursor,
    signal: context.signal === undefined ? lost.signal : AbortSignal.any([lost.signal, context.signal]),
    append,
    async keep() {
      if (lease.isDue) await lease.renew()
      lost.signal.throwIfAborted()
    },
    async release() {
      over.abort()
      await beating
      const draft: Draft = { ...cursorDraft(owner, {}, 'release'), unset: ['session'] }
      try {
        if (!lost.signal.aborted) await write(context, { owner, version, drafts: [draft] })
      } catch (error) {
        // Another run has the cursor now, and will release it.
        if (!isNodesError(error, 'VERSION_CONFLICT')) throw error
      }
      await context.store.work.closeSession(session)
    },
  }
}

/** Returns the version of the cursor after the append. */
async function write(
  { store }: ConsolidationContext,
  what: { readonly owner: string; readonly version: number; readonly drafts: readonly Draft[] } & Omit<
    AppendHow,
    'progress'
  >,
): Promise<number> {
  const { owner, version, drafts, partition, expects } = what
  const id = cursorIdOf(owner)
  const written = await store.log.append(drafts, {
    owner,
    actor: consolidationActor,
    expects: { ...expects, [id]: version },
    ...(partition === undefined ? {} : { partition }),
  })
  return written.find((node) => node.id === id)?.version ?? version
}

function cursorDraft(owner: string, payload: Payload, what: 'claim' | 'progress' | 'release'): Draft {
  return {
    concept: consolidationCursor.name,
    id: cursorIdOf(owner),
    payload: { ownerUserId: owner, ...payload },
    mutation: `${what}Consolidation`,
  }
}

class Lease {
  readonly #context: ConsolidationContext
  readonly #session: string
  readonly #owner: string
  readonly #lost: AbortController
  #renewedAt: number

  constructor(
    context: ConsolidationContext,
    session: string,
    { owner, lost }: { readonly owner: string; readonly lost: AbortController },
  ) {
    this.#context = context
    this.#session = session
    this.#owner = owner
    this.#lost = lost
    this.#renewedAt = context.runtime.now()
  }

  /** Whether a third of the lease has passed. */
  get isDue(): boolean {
    const { runtime, settings } = this.#context
    return runtime.now() - this.#renewedAt >= settings.leaseMs / 3
  }

  async renew(): Promise<void> {
    const { store, runtime, settings } = this.#context
    const asked = runtime.now()
    try {
      const renewed = await store.work.renew(this.#session, { leaseMs: settings.leaseMs })
      if (renewed === undefined) this.#lost.abort(new ConsolidationLostError(this.#owner))
      else this.#renewedAt = asked
    } catch {
      // A store that is unavailable now may answer the next time. Otherwise the lease expires, and the version check protects the
      // data.
    }
  }
}

async function beat(
  { runtime, settings }: ConsolidationContext,
  lease: Lease,
  { lost, over }: { readonly lost: AbortSignal; readonly over: AbortSignal },
): Promise<void> {
  while (!over.aborted && !lost.aborted) {
    try {
      await runtime.sleep(settings.leaseMs / 3, over)
    } catch {
      // The abort was requested.
    }
    if (!over.aborted) await lease.renew()
  }
}
