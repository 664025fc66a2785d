/** `WorkLog` on one file. The store's clock is the clock of this machine, from the runtime. */
import type { Abandoned, Head, Session, TakeOptions, WorkLog } from '@agentm/nodes'
import {
  claimDraft,
  type ClaimedBy,
  type FairPick,
  fairPick,
  foldFacts,
  SessionLostError,
} from '@agentm/nodes/store-kit'
import type { Connection } from './connection.ts'
import type { Row } from './database.ts'
import { countStart, waitingGates } from './flow-control.ts'
import { performKnown } from './perform-append.ts'
import { among } from './pure/among.ts'
import { limited } from './pure/limited.ts'
import { queuesFor } from './queues-for.ts'
import { headColumns, headOf, oneReadyHead, storedHeadOf } from './rows.ts'
import type { SessionHolds } from './session-holds.ts'
import { checkOpen, type StoreContext } from './store-context.ts'

export function sqliteWork(context: StoreContext, holds: SessionHolds): WorkLog {
  const { queue, reader, runtime, writer } = context
  const quick = <T>(work: () => T): Promise<T> => queue.run(work, { durability: 'normal' })
  return {
    async now() {
      return runtime.now()
    },
    async openSession({ actor, leaseMs, facts = {} }) {
      checkOpen(context)
      const session = {
        id: runtime.newId(),
        actor,
        facts,
        startedAt: runtime.now(),
        leaseUntil: runtime.now() + leaseMs,
      }
      await quick(() => insertSession(writer, session))
      return session
    },
    renew: (session, { leaseMs }) => quick(() => renew(context, session, leaseMs)),
    async closeSession(session) {
      await quick(() => writer.run('delete from sessions where id = ?', session))
      holds.remove(session)
    },
    async sessions() {
      checkOpen(context)
      return reader.all('select * from sessions order by started_at, id').map(sessionOf)
    },
    async hold(session) {
      checkOpen(context)
      const release = holds.acquire(session)
      await quick(() => writer.run('update sessions set held = 1 where id = ?', session))
      return {
        async release() {
          await quick(() => writer.run('update sessions set held = 0 where id = ?', session))
          release()
        },
      }
    },
    async take(options) {
      checkOpen(context)
      const { durability = 'normal' } = options
      return queue.run(() => take(context, options), { durability, last: true })
    },
    async abandoned({ owners, limit = 1000 }) {
      checkOpen(context)
      return abandoned(context, holds, owners).slice(0, limit)
    },
    async due({ owners, limit = 1000 }) {
      checkOpen(context)
      const now = runtime.now()
      return [...new Set(owners)]
        .flatMap((owner) => reader.all(dueOfOwner, owner, now, limit))
        .map(headOf)
        .toSorted((a, b) => (a.wakeAt ?? 0) - (b.wakeAt ?? 0) || a.seq - b.seq)
        .slice(0, limit)
    },
    async nextDue({ owners }) {
      checkOpen(context)
      const times = owners.flatMap((owner) => reader.get(nextOfOwner, owner)?.['wake_at'] ?? []).map(Number)
      const opens = waitingGates(reader, owners, runtime.now()).flatMap(({ opensAt }) => opensAt ?? [])
      const next = Math.min(...times, ...opens)
      return next === Infinity ? undefined : next
    },
    async gates({ owners }) {
      checkOpen(context)
      return waitingGates(reader, owners, runtime.now())
    },
    async tally(parent, { owner, concept }) {
      checkOpen(context)
      const rows = reader.all(
        // The unary plus keeps the planner from walking all rows of the owner.
        `select status, sum(count) as count from (
          select status, count(*) as count from heads where parent = ? and concept = ? and +owner = ? and status is not null
            group by ready, status) group by status`,
        parent,
        concept,
        owner,
      )
      return Object.fromEntries(rows.map(({ status, count }) => [String(status), Number(count)]))
    },
  }
}

/** Timers are read owner by owner, so that those of others, of which there may be a million, are not passed over one by one. */
const dueOfOwner = `select ${headColumns} from heads h indexed by heads_wake join nodes n on n.seq = h.seq
  where h.owner = ? and h.wake_at is not null and h.wake_at <= ? order by h.wake_at, h.seq ${limited}`

const nextOfOwner = `select wake_at from heads indexed by heads_wake where owner = ? and wake_at is not null
  order by wake_at limit 1`

function insertSession(writer: Connection, { id, actor, facts, startedAt, leaseUntil }: Session): void {
  writer.run(
    'insert into sessions (id, actor, facts, started_at, lease_until, held) values (?, ?, ?, ?, ?, 0)',
    id,
    actor,
    JSON.stringify(facts),
    startedAt,
    leaseUntil,
  )
}

/** Extends the lease and returns what the session runs, in one statement. An expired lease is not extended. */
function renew({ writer, runtime }: StoreContext, session: string, leaseMs: number) {
  const now = runtime.now()
  const row = writer.get(
    `update sessions set lease_until = ? where id = ? and lease_until > ? returning (
      select json_group_array(json_object('id', h.id, 'version', h.version, 'held', h.held)) from (
        select id, version, held from heads indexed by heads_running where session = ?2 and running = 1 order by seq) h) as claims`,
    now + leaseMs,
    session,
    now,
  )
  if (row === undefined) return undefined
  const claims: { id: string; version: number; held: number }[] = JSON.parse(String(row['claims']))
  return {
    leaseUntil: now + leaseMs,
    claims: claims.map(({ id, version, held }) => ({ id, version, held: held === 1 })),
  }
}

/** The virtual time of the last pick is stored under a name that no partition has. */
const clockName = ''

function take(context: StoreContext, options: TakeOptions): Head[] {
  const { writer, runtime } = context
  const { session, actor, k, perPartition = 4, durability = 'normal' } = options
  const at = runtime.now()
  const now = writer.get(
    `select (select virtual_time from fairness where partition = ?) as clock from sessions where id = ? and lease_until > ?`,
    clockName,
    session,
    at,
  )
  if (now === undefined) throw new SessionLostError(session)
  const clock = Number(now['clock'] ?? 0)
  const queues = queuesFor(context, { ...options, clock, now: at })
  const fair = fairPick(queues, { k, perPartition, clock })
  if (fair.picks.length === 0) return []
  setVirtualTimes(writer, [{ partition: clockName, virtualTime: fair.clock }, ...fair.picks])
  return fair.picks.flatMap((pick) => {
    const { rows = [] } = queues.find(({ partition }) => partition === pick.partition) ?? {}
    return rows.slice(0, pick.count).map((row) => {
      const claimed = claim(context, row.id, { session, actor, at, durability })
      // The time that the log shows, so that the log shows the rate kept.
      if (row.gate !== undefined) countStart(writer, row, claimed.createdAt)
      return claimed
    })
  })
}

function claim(context: StoreContext, id: string, by: ClaimedBy & { readonly actor: string }): Head {
  const row = context.writer.get(oneReadyHead, id)
  if (row === undefined) throw new TypeError(`${id} is ready and has no head`)
  const known = storedHeadOf(row)
  const concept = context.concepts.get(known.concept)
  const [node] = performKnown(context, claimDraft(concept, known, by), new Map([[id, known]]))
  if (node === undefined) throw new TypeError(`the claim of ${id} wrote no version`)
  const { parent, session, wakeAt } = foldFacts(concept, { ...node, firstCreatedAt: known.firstCreatedAt })
  return { ...node, parent, session, wakeAt, remaining: Number(row['remaining']), held: row['held'] === 1 }
}

function setVirtualTimes(writer: Connection, times: readonly Pick<FairPick, 'partition' | 'virtualTime'>[]): void {
  writer.run(
    `insert into fairness (partition, virtual_time) values ${times.map(() => '(?, ?)').join(', ')}
      on conflict (partition) do update set virtual_time = excluded.virtual_time`,
    ...times.flatMap(({ partition, virtualTime }) => [partition, virtualTime]),
  )
}

function abandoned({ reader, runtime }: StoreContext, holds: SessionHolds, owners: readonly string[]): Abandoned[] {
  const now = runtime.now()
  const rows = reader.all(
    `select ${headColumns}, s.id as session_id, s.lease_until, s.held as session_held
      from heads h join nodes n on n.seq = h.seq left join sessions s on s.id = h.session
      where h.running = 1 and +h.owner ${among(owners)} order by h.seq`,
    ...owners,
  )
  const dead = new Map<string, boolean>()
  const isDead = (session: string) => {
    if (!dead.has(session)) dead.set(session, holds.isDead(session))
    return dead.get(session) === true
  }
  return rows.flatMap((row): readonly Abandoned[] => {
    const node = headOf(row)
    const session = node.session ?? ''
    if (row['session_id'] === null) return [{ node, session, why: 'closed' }]
    if (Number(row['lease_until']) <= now) return [{ node, session, why: 'lease' }]
    return row['session_held'] === 1 && isDead(session) ? [{ node, session, why: 'vanished' }] : []
  })
}

function sessionOf(row: Row): Session {
  return {
    id: String(row['id']),
    actor: String(row['actor']),
    facts: JSON.parse(String(row['facts'])),
    startedAt: Number(row['started_at']),
    leaseUntil: Number(row['lease_until']),
  }
}
