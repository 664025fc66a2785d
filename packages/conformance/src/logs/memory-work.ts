/** `WorkLog` over plain maps. */
import type { Abandoned, Concept, Head, Payload, TakeOptions, WorkLog } from '@agentm/nodes'
import { claimDraft, type ClaimedBy, fairPick, SessionLostError } from '@agentm/nodes/store-kit'
import { headView, type MemoryState, type StoredHead } from './memory-state.ts'

export function memoryWork(state: MemoryState): WorkLog {
  const now = () => state.runtime.now()
  return {
    async now() {
      return now()
    },
    async openSession({ actor, leaseMs, facts = {} }) {
      state.checkOpen()
      const id = state.runtime.newId()
      const session = { id, actor, facts, startedAt: now(), leaseUntil: now() + leaseMs }
      state.sessions.set(id, { ...session, held: false })
      return session
    },
    async renew(session, { leaseMs }) {
      const known = state.sessions.get(session)
      if (known === undefined || known.leaseUntil <= now()) return undefined
      const leaseUntil = now() + leaseMs
      state.sessions.set(session, { ...known, leaseUntil })
      const running = headsOf(state).filter((head) => head.running && head.session === session)
      return { leaseUntil, claims: running.map(({ id, version, held }) => ({ id, version, held })) }
    },
    async closeSession(session) {
      state.sessions.delete(session)
    },
    async sessions() {
      return [...state.sessions.values()].map(({ held: _held, ...session }) => session)
    },
    async hold() {
      // Only one process has the data, so no other process can notice its death.
      return { release: async () => undefined }
    },
    async take(options) {
      state.checkOpen()
      const session = state.sessions.get(options.session)
      if (session === undefined || session.leaseUntil <= now()) throw new SessionLostError(options.session)
      return take(state, options)
    },
    async abandoned({ owners, limit = 1000 }) {
      return headsOf(state)
        .filter((head) => head.running && owners.includes(head.owner))
        .flatMap((head) => abandonedBy(state, head))
        .slice(0, limit)
    },
    async due({ owners, limit = 1000 }) {
      return timers(state, owners)
        .filter(({ wakeAt = Infinity }) => wakeAt <= now())
        .slice(0, limit)
        .map(headView)
    },
    async nextDue({ owners }) {
      return timers(state, owners)[0]?.wakeAt
    },
    async tally(parent, { owner, concept }) {
      const counts: Record<string, number> = {}
      for (const head of state.heads.values())
        if (head.parent === parent && head.owner === owner && head.concept === concept && head.status !== undefined)
          counts[head.status] = (counts[head.status] ?? 0) + 1
      return counts
    },
  }
}

function take(
  state: MemoryState,
  {
    session,
    owners,
    concepts,
    actor,
    k,
    perPartition = 4,
    partition,
    parents,
    kinds,
    durability = 'normal',
  }: TakeOptions,
): Head[] {
  const claimable = headsOf(state)
    .filter((head) => head.ready && !head.held && owners.includes(head.owner) && concepts.includes(head.concept))
    .filter((head) => partition === undefined || head.partition === partition)
    .filter(({ parent = '' }) => parents === undefined || parents.includes(parent))
    .filter((head) => isOfKind(state.concepts.get(head.concept), head.payload, kinds))
  const running = headsOf(state).filter((head) => head.running)
  const { picks, clock } = fairPick(loads(state, [...claimable, ...running]), {
    k,
    perPartition,
    clock: state.fairClock,
  })
  state.fairClock = clock
  return picks.flatMap((pick) => {
    state.virtualTimes.set(pick.partition, pick.virtualTime)
    return claimable
      .filter((head) => head.partition === pick.partition)
      .slice(0, pick.count)
      .map((head) => claim(state, head, { session, actor, durability, at: state.runtime.now() }))
  })
}

function isOfKind({ claimable }: Concept, payload: Payload, kinds: readonly string[] | undefined): boolean {
  if (kinds === undefined || claimable?.kind === undefined) return true
  const { field, otherwise } = claimable.kind
  const kind = payload[field] ?? otherwise
  return typeof kind === 'string' && kinds.includes(kind)
}

function claim(state: MemoryState, head: StoredHead, by: ClaimedBy & { readonly actor: string }): Head {
  state.perform(claimDraft(state.concepts.get(head.concept), head, by))
  return headView(state.heads.get(head.id) ?? head)
}

function loads(state: MemoryState, heads: readonly StoredHead[]) {
  return [...new Set(heads.map(({ partition }) => partition))].toSorted().map((partition) => {
    const within = heads.filter((head) => head.partition === partition)
    return {
      partition,
      ready: within.filter(({ ready, held }) => ready && !held).length,
      running: within.filter((head) => head.running).length,
      virtualTime: state.virtualTimes.get(partition) ?? 0,
    }
  })
}

function abandonedBy(state: MemoryState, head: StoredHead): readonly Abandoned[] {
  const session = head.session ?? ''
  const known = state.sessions.get(session)
  if (known !== undefined && known.leaseUntil > state.runtime.now()) return []
  return [{ node: headView(head), session, why: known === undefined ? 'closed' : 'lease' }]
}

function timers(state: MemoryState, owners: readonly string[]): readonly StoredHead[] {
  return headsOf(state)
    .filter(({ wakeAt, owner }) => wakeAt !== undefined && owners.includes(owner))
    .toSorted((a, b) => (a.wakeAt ?? 0) - (b.wakeAt ?? 0) || a.seq - b.seq)
}

/** The heads in the order of the log. */
function headsOf(state: MemoryState): readonly StoredHead[] {
  return [...state.heads.values()].toSorted((a, b) => a.seq - b.seq)
}
