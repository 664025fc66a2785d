/** `WorkLog` on one file. The store's clock is this machine's, as its runtime tells it. */
import {
  type Abandoned,
  claimDraft,
  type ClaimedBy,
  fairPick,
  foldFacts,
  type Head,
  type PartitionLoad,
  type Session,
  SessionLostError,
  type TakeOptions,
  type WorkLog,
} from '@agentm/nodes'
import type { Connection } from './connection.ts'
import type { Row } from './database.ts'
import { performAppend } from './perform-append.ts'
import { readyFor } from './ready-for.ts'
import { headColumns, headOf } from './rows.ts'
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
      return reader
        .all(
          `${timers} and h.wake_at <= ? order by h.wake_at, h.seq limit ?`,
          JSON.stringify(owners),
          runtime.now(),
          limit,
        )
        .map(headOf)
    },
    async nextDue({ owners }) {
      checkOpen(context)
      const wakeAt = reader.get(`${timers} order by h.wake_at limit 1`, JSON.stringify(owners))?.['wake_at']
      return wakeAt === undefined ? undefined : Number(wakeAt)
    },
    async tally(parent, { owner, concept }) {
      checkOpen(context)
      const rows = reader.all(
        `select status, count(*) as count from heads where parent = ? and concept = ? and owner = ? and status is not null
          group by status`,
        parent,
        concept,
        owner,
      )
      return Object.fromEntries(rows.map(({ status, count }) => [String(status), Number(count)]))
    },
    async load({ owners }) {
      checkOpen(context)
      return reader.snapshot(() => loads(reader, owners))
    },
    async setWeight(partition, weight) {
      checkOpen(context)
      if (!(weight > 0 && weight < Infinity)) throw new TypeError(`a weight is a positive number, not ${weight}`)
      await quick(() =>
        writer.run(
          `insert into fairness (partition, virtual_time, weight) values (?, 0, ?)
            on conflict (partition) do update set weight = excluded.weight`,
          partition,
          weight,
        ),
      )
    },
  }
}

const timers = `select ${headColumns} from heads h join nodes n on n.seq = h.seq
  where h.wake_at is not null and +h.owner in (select value from json_each(?))`

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

/** One statement: the lease moves only while it lasts, and what the session runs comes back with it. */
function renew({ writer, runtime }: StoreContext, session: string, leaseMs: number) {
  const now = runtime.now()
  const row = writer.get(
    `update sessions set lease_until = ? where id = ? and lease_until > ? returning (
      select json_group_array(json_object('id', h.id, 'version', h.version, 'held', h.held)) from (
        select id, version, held from heads where session = ?2 and running = 1 order by seq) h) as claims`,
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

/** Virtual time of the last pick anywhere is kept under a name no partition has. */
const clockName = ''

function take(context: StoreContext, options: TakeOptions): Head[] {
  const { writer, runtime } = context
  const { session, actor, k, perPartition = 4, durability = 'normal' } = options
  const at = runtime.now()
  if (writer.get('select 1 from sessions where id = ? and lease_until > ?', session, at) === undefined)
    throw new SessionLostError(session)
  const waiting = readyFor(context, options)
  const queues = [...waiting].map(([name, ids]) => queueOf(writer, name, ids.length))
  const { picks, clock } = fairPick(queues, { k, perPartition, clock: virtualTimeOf(writer, clockName) })
  if (picks.length > 0) setVirtualTime(writer, clockName, clock)
  return picks.flatMap((pick) => {
    setVirtualTime(writer, pick.partition, pick.virtualTime)
    const ids = waiting.get(pick.partition)?.slice(0, pick.count) ?? []
    return ids.map((id) => claim(context, id, { session, actor, at, durability }))
  })
}

function claim(context: StoreContext, id: string, by: ClaimedBy & { readonly actor: string }): Head {
  const { writer, concepts } = context
  const row = writer.get(`select ${headColumns} from heads h join nodes n on n.seq = h.seq where h.id = ?`, id)
  if (row === undefined) throw new TypeError(`${id} is ready and has no head`)
  const head = headOf(row)
  const concept = concepts.get(head.concept)
  const [node = head] = performAppend(context, claimDraft(concept, head, by))
  const { session, wakeAt } = foldFacts(concept, { ...node, firstCreatedAt: head.createdAt })
  return { ...head, ...node, session, wakeAt }
}

function queueOf(connection: Connection, partition: string, ready: number): PartitionLoad {
  const row = connection.get('select virtual_time, weight from fairness where partition = ?', partition)
  return {
    partition,
    ready,
    running: connection.number('select count(*) from heads where running = 1 and partition = ?', partition),
    virtualTime: Number(row?.['virtual_time'] ?? 0),
    weight: Number(row?.['weight'] ?? 1),
  }
}

function virtualTimeOf(writer: Connection, partition: string): number {
  return writer.number('select virtual_time from fairness where partition = ?', partition)
}

function setVirtualTime(writer: Connection, partition: string, virtualTime: number): void {
  writer.run(
    `insert into fairness (partition, virtual_time, weight) values (?, ?, 1)
      on conflict (partition) do update set virtual_time = excluded.virtual_time`,
    partition,
    virtualTime,
  )
}

function loads(reader: Connection, owners: readonly string[]): readonly PartitionLoad[] {
  const rows = reader.all(
    `select partition, sum(ready = 1 and held = 0) as ready from heads
      where (ready = 1 or running = 1) and owner in (select value from json_each(?)) group by partition order by partition`,
    JSON.stringify(owners),
  )
  return rows.map(({ partition, ready }) => queueOf(reader, String(partition), Number(ready)))
}

function abandoned({ reader, runtime }: StoreContext, holds: SessionHolds, owners: readonly string[]): Abandoned[] {
  const now = runtime.now()
  const rows = reader.all(
    `select ${headColumns}, s.id as session_id, s.lease_until, s.held as session_held
      from heads h join nodes n on n.seq = h.seq left join sessions s on s.id = h.session
      where h.running = 1 and h.owner in (select value from json_each(?)) order by h.seq`,
    JSON.stringify(owners),
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
