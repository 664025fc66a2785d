/** `WorkLog` over plain maps. */
import type { Abandoned, Concept, FlowGate, Head, Payload, RateLimit, TakeOptions, WorkLog } from '@agentm/nodes'
import {
  admit,
  claimDraft,
  type ClaimedBy,
  fairPick,
  type FlowUsage,
  gateStanding,
  limitsIn,
  SessionLostError,
} from '@agentm/nodes/store-kit'
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
      const opens = gatesOf(state, owners).flatMap(({ opensAt }) => opensAt ?? [])
      const due = Math.min(...opens, timers(state, owners)[0]?.wakeAt ?? Infinity)
      return due === Infinity ? undefined : due
    },
    async gates({ owners }) {
      return gatesOf(state, owners)
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
  const now = state.runtime.now()
  const claimable = headsOf(state)
    .filter((head) => head.ready && !head.held && owners.includes(head.owner) && concepts.includes(head.concept))
    .filter((head) => partition === undefined || head.partition === partition)
    .filter(({ parent = '' }) => parents === undefined || parents.includes(parent))
    .filter((head) => isOfKind(state.concepts.get(head.concept), head.payload, kinds))
    .filter(({ wakeAt = Infinity }) => wakeAt > now)
    .toSorted((a, b) => (a.rank ?? a.createdAt) - (b.rank ?? b.createdAt) || a.seq - b.seq)
  const running = headsOf(state).filter((head) => head.running)
  const lanes = loads(state, [...claimable, ...running])
    .filter((lane) => lane.running < perPartition)
    .toSorted((a, b) => Math.max(a.virtualTime, state.fairClock) - Math.max(b.virtualTime, state.fairClock))
  const passed: StoredHead[] = []
  const queues = lanes.map((lane) => {
    const ready = claimable.filter((head) => head.partition === lane.partition)
    const queue = admitted(state, ready, { most: Math.min(k, perPartition - lane.running), passed })
    passed.push(...queue)
    return { ...lane, ready: queue.length, queue }
  })
  const { picks, clock } = fairPick(queues, { k, perPartition, clock: state.fairClock })
  state.fairClock = clock
  return picks.flatMap((pick) => {
    state.virtualTimes.set(pick.partition, pick.virtualTime)
    const { queue = [] } = queues.find((each) => each.partition === pick.partition) ?? {}
    return queue
      .slice(0, pick.count)
      .map((head) => claim(state, head, { session, actor, durability, at: state.runtime.now() }))
  })
}

/** The nodes of one partition that their limits let through, whatever other partitions were let through before them. */
function admitted(
  state: MemoryState,
  ready: readonly StoredHead[],
  { most, passed }: { readonly most: number; readonly passed: readonly StoredHead[] },
): readonly StoredHead[] {
  const through = new Set(
    [...new Set(ready.map(({ owner }) => owner))].flatMap((owner) => {
      const mine = (head: StoredHead): boolean => head.owner === owner
      const gates = passed.filter(mine).flatMap(({ gate }) => gate ?? [])
      return admit(ready.filter(mine), usageOf(state, owner), { now: state.runtime.now(), most, passed: gates })
    }),
  )
  return ready.filter((head) => through.has(head)).slice(0, most)
}

function usageOf(state: MemoryState, owner: string): FlowUsage {
  const running = new Map<string, number>()
  const starts = new Map<string, readonly number[]>()
  for (const { owner: whose, gate, running: runs } of state.heads.values()) {
    const key = runs && whose === owner && gate !== undefined ? limitsIn(gate).limit?.key : undefined
    if (key !== undefined) running.set(key, (running.get(key) ?? 0) + 1)
  }
  for (const { owner: whose, key, at } of state.starts)
    if (whose === owner) starts.set(key, [at, ...(starts.get(key) ?? [])])
  return { running, starts }
}

function gatesOf(state: MemoryState, owners: readonly string[]): readonly FlowGate[] {
  return [...new Set(owners)].flatMap((owner) => {
    const usage = usageOf(state, owner)
    const waiting = headsOf(state).filter((head) => head.ready && !head.held && head.owner === owner)
    return [...new Set(waiting.flatMap(({ gate }) => gate ?? []))]
      .filter((gate) => gate !== '')
      .map((gate) => gateStanding({ owner, gate }, usage, state.runtime.now()))
  })
}

function isOfKind({ claimable }: Concept, payload: Payload, kinds: readonly string[] | undefined): boolean {
  if (kinds === undefined || claimable?.kind === undefined) return true
  const { field, otherwise } = claimable.kind
  const kind = payload[field] ?? otherwise
  return typeof kind === 'string' && kinds.includes(kind)
}

function claim(state: MemoryState, head: StoredHead, by: ClaimedBy & { readonly actor: string }): Head {
  const { rate } = limitsIn(head.gate ?? '')
  state.perform(claimDraft(state.concepts.get(head.concept), head, by))
  const claimed = headView(state.heads.get(head.id) ?? head)
  if (rate !== undefined) countStart(state, claimed, rate)
  return claimed
}

function countStart(state: MemoryState, { owner, createdAt: at }: Head, { key, perMs }: RateLimit): void {
  const isOver = (each: MemoryState['starts'][number]): boolean =>
    each.owner === owner && each.key === key && each.at <= at - perMs
  state.starts = [...state.starts.filter((each) => !isOver(each)), { owner, key, at }]
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
