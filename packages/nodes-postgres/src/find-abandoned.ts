/** Running nodes whose session has ended: its lease expired, its process released its hold, or it was closed. */
import type { Abandoned, WorkLog } from '@agentm/nodes'
import { serverNow } from './log-writer.ts'
import { headColumns, headOf, type HeadRow, headsFrom } from './rows.ts'
import type { StoreContext } from './store-context.ts'

interface AbandonedRow extends HeadRow {
  readonly why: Abandoned['why'] | null
}

export async function findAbandoned(
  { database, clock }: StoreContext,
  { owners, limit = 1000 }: Parameters<WorkLog['abandoned']>[0],
): Promise<readonly Abandoned[]> {
  const { schema } = database
  // A hold from before the server's last start proves nothing, because a restart releases all holds.
  const rows = await database.read<AbandonedRow>({
    text: `with over as materialized (
        select h.id, case
          when s.id is null then 'closed'
          when s.lease_until <= coalesce($2, ${serverNow}) then 'lease'
          when s.hold_key is not null and s.hold_at > pg_postmaster_start_time() and not exists (
            select from pg_locks l where l.locktype = 'advisory' and l.objsubid = 1 and l.granted
              and l.database = (select oid from pg_database where datname = current_database())
              and l.classid = ((s.hold_key >> 32) & 4294967295)::oid and l.objid = (s.hold_key & 4294967295)::oid
          ) then 'vanished'
        end as why
        from ${schema}.heads h left join ${schema}.sessions s on s.id = h.session
        where h.running and h.owner = any ($1)
      )
      select ${headColumns}, o.why from ${headsFrom(schema)} join over o on o.id = h.id
      where o.why is not null order by h.seq limit $3`,
    values: [owners, clock.override, limit],
  })
  return rows.flatMap((row) =>
    row.why === null ? [] : [{ node: headOf(row), session: row.session ?? '', why: row.why }],
  )
}
