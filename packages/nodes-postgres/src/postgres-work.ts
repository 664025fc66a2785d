/** `WorkLog` on PostgreSQL. Every lease, timer and expiry is judged by the server's clock. */
import type { Head, Session, WorkLog } from '@agentm/nodes'
import { findAbandoned } from './find-abandoned.ts'
import { holdSession } from './hold-session.ts'
import { serverNow } from './log-writer.ts'
import { headColumns, headOf, type HeadRow, headsFrom, ownerChecked } from './rows.ts'
import type { StoreContext } from './store-context.ts'
import { takeWork } from './take-work.ts'
import { waitingGates } from './waiting-gates.ts'

export function postgresWork(context: StoreContext): WorkLog {
  const { database, clock } = context
  const { schema } = database
  const heads = async (where: string, values: readonly unknown[]): Promise<readonly Head[]> => {
    const rows = await database.read<HeadRow>({
      text: `select ${headColumns} from ${headsFrom(schema)} ${where}`,
      values,
    })
    return rows.map(headOf)
  }
  return {
    async now() {
      if (clock.override !== null) return clock.override
      const [row] = await database.read<{ at: number }>({ text: `select ${serverNow} as at` })
      return row?.at ?? 0
    },
    openSession: async (options) => openSession(context, options),
    renew: async (session, { leaseMs }) => renew(context, session, leaseMs),
    async closeSession(session) {
      await database.repeat({ text: `delete from ${schema}.sessions where id = $1`, values: [session] })
    },
    async sessions() {
      const rows = await database.read<SessionRow>({
        text: `select id, actor, started_at, lease_until, facts from ${schema}.sessions order by started_at, id`,
      })
      return rows.map(sessionOf)
    },
    hold: async (session) => holdSession(database, session),
    take: async (options) => takeWork(context, options),
    abandoned: async (options) => findAbandoned(context, options),
    due: async ({ owners, limit = 1000 }) =>
      heads(`where h.wake_at <= coalesce($1, ${serverNow}) and h.owner = any ($2) order by h.wake_at, h.seq limit $3`, [
        clock.override,
        owners,
        limit,
      ]),
    async nextDue({ owners }) {
      const [row] = await database.read<{ at: number | null }>({
        text: `select min(h.wake_at) as at from ${schema}.heads h where h.wake_at is not null and h.owner = any ($1)`,
        values: [owners],
      })
      const opens = (await waitingGates(context, owners)).flatMap(({ opensAt }) => opensAt ?? [])
      const next = Math.min(...opens, row?.at ?? Infinity)
      return next === Infinity ? undefined : next
    },
    gates: async ({ owners }) => waitingGates(context, owners),
    async tally(parent, { owner, concept }) {
      const rows = await database.read<{ status: string; count: number }>({
        text: `select h.status, count(*) as count from ${schema}.heads h
          where h.parent = $1 and h.concept = $2 and ${ownerChecked} = $3 and h.status is not null group by h.status`,
        values: [parent, concept, owner],
      })
      return Object.fromEntries(rows.map(({ status, count }) => [status, count]))
    },
  }
}

interface SessionRow {
  readonly id: string
  readonly actor: string
  readonly started_at: number
  readonly lease_until: number
  readonly facts: string
}

function sessionOf({ id, actor, started_at, lease_until, facts }: SessionRow): Session {
  return { id, actor, startedAt: started_at, leaseUntil: lease_until, facts: JSON.parse(facts) }
}

async function openSession(
  { database, clock }: StoreContext,
  { actor, leaseMs, facts = {} }: Parameters<WorkLog['openSession']>[0],
): Promise<Session> {
  const { schema, settings } = database
  // Deletes sessions that ended a day ago and run nothing.
  const [row] = await database.write<SessionRow>({
    text: `with gone as (
        delete from ${schema}.sessions s where s.lease_until < coalesce($4, ${serverNow}) - 86400000
          and not exists (select from ${schema}.heads h where h.session = s.id)
      )
      insert into ${schema}.sessions (id, actor, started_at, lease_until, facts)
      select $1, $2, t.at, t.at + $3::bigint, $5::text::json from (select coalesce($4, ${serverNow}) as at) t
      returning id, actor, started_at, lease_until, facts`,
    values: [settings.runtime.newId(), actor, Math.round(leaseMs), clock.override, JSON.stringify(facts)],
  })
  if (row === undefined) throw new TypeError('an insert answers its row')
  return sessionOf(row)
}

async function renew({ database, clock }: StoreContext, session: string, leaseMs: number) {
  const { schema } = database
  const rows = await database.repeat<{ until: number; id: string | null; version: number; held: boolean }>({
    text: `with renewed as (
        update ${schema}.sessions s set lease_until = t.at + $2::bigint
        from (select coalesce($3, ${serverNow}) as at) t
        where s.id = $1 and s.lease_until > t.at returning s.id, s.lease_until
      )
      select r.lease_until as until, h.id, h.version, h.held
      from renewed r left join ${schema}.heads h on h.session = r.id and h.running order by h.seq`,
    values: [session, Math.round(leaseMs), clock.override],
  })
  const [first] = rows
  if (first === undefined) return undefined
  const claims = rows.flatMap(({ id, version, held }) => (id === null ? [] : [{ id, version, held }]))
  return { leaseUntil: first.until, claims }
}
