/**
 * What a worker with a live session may claim now, locked: the shares of the partitions furthest behind and their oldest
 * ready heads. A share that another worker is using is passed over; only when nothing else is left, it is waited for. The
 * heads come with their newest version, by the statement that finds them: whoever joined them from outside would see them
 * as they were before the wait.
 */
export function claimableFunction(s: string): string {
  return `
create or replace function ${s}.claimable(
  _session text, _now bigint, _owners text[], _concepts text[], _partition text, _k integer, _per_partition integer,
  _parents text[], _kinds text[], _kind_fields text[], _kind_otherwise text[]
) returns table (
  share text, virtual_time double precision, weight double precision, busy integer, clock double precision,
  first_created_at bigint, parent text, remaining integer, held boolean, session text, wake_at bigint, id text,
  concept text, version integer, seq bigint, owner text, partition text, created_by text, created_at bigint,
  mutation text, status text, old_status text, payload json, redacted boolean
) language plpgsql as $body$
#variable_conflict use_column
declare
  _clock double precision := coalesce((select max(h.last_start) from ${s}.shares h), 0);
  _waiting text[];
  _locked text[];
begin
  if not exists (select from ${s}.sessions h where h.id = _session and h.lease_until > _now) then
    -- One row without a share says so.
    return next;
    return;
  end if;

  with recursive pairs as (
    select o.owner, c.concept from unnest(_owners) o (owner) cross join unnest(_concepts) c (concept)
  ), walk as (
    select p.owner, p.concept, (
      select min(h.partition) from ${s}.heads h
      where h.ready and not h.held and h.owner = p.owner and h.concept = p.concept
        and h.partition >= coalesce(_partition, '')
    ) as partition from pairs p
    union all
    select w.owner, w.concept, (
      select min(h.partition) from ${s}.heads h
      where h.ready and not h.held and h.owner = w.owner and h.concept = w.concept and h.partition > w.partition
    ) from walk w where w.partition is not null and _partition is null
  )
  select array_agg(distinct w.partition) into _waiting
  from walk w where w.partition is not null and (_partition is null or w.partition = _partition);
  if _waiting is not null and (_parents is not null or _kinds is not null) then
    -- A partition that has nothing for this taker must not take the place of one that has.
    select array_agg(p.partition) into _waiting from unnest(_waiting) p (partition) where exists (
      select from unnest(_owners) o (owner)
      cross join unnest(_concepts, _kind_fields, _kind_otherwise) c (concept, field, otherwise)
      cross join lateral (
        select d.id from ${s}.heads d
        where d.ready and not d.held and d.owner = o.owner and d.concept = c.concept and d.partition = p.partition
          and ${fits(s)}
        limit 1
      ) r
    );
  end if;
  if _waiting is null then
    return;
  end if;

  insert into ${s}.shares (partition)
  select w from unnest(_waiting) w where not exists (select from ${s}.shares h where h.partition = w) order by w
  on conflict do nothing;

  select array_agg(p.partition) into _waiting from unnest(_waiting) p (partition) where (
    select count(*) from (
      select from ${s}.heads h where h.running and h.partition = p.partition limit _per_partition
    ) busy
  ) < _per_partition;
  if _waiting is null then
    return;
  end if;

  select array_agg(l.partition) into _locked from (
    select h.partition from ${s}.shares h where h.partition = any (_waiting)
    order by greatest(h.virtual_time, _clock), h.partition limit _k for update skip locked
  ) l;
  if _locked is null then
    select array_agg(l.partition) into _locked from (
      select h.partition from ${s}.shares h where h.partition = any (_waiting)
      order by greatest(h.virtual_time, _clock), h.partition limit 1 for update
    ) l;
  end if;

  return query
  select h.partition, h.virtual_time, h.weight, busy.running, _clock, d.first_created_at, d.parent, d.remaining, d.held,
    d.session, d.wake_at, n.id, n.concept, n.version, n.seq, n.owner, n.partition, n.created_by, n.created_at, n.mutation,
    n.status, n.old_status, n.payload, n.redacted
  from ${s}.shares h
  cross join lateral (
    select count(*)::integer as running from (
      select from ${s}.heads b where b.running and b.partition = h.partition limit _per_partition
    ) b
  ) busy
  cross join lateral (
    select r.id, r.seq
    from unnest(_owners) o (owner)
    cross join unnest(_concepts, _kind_fields, _kind_otherwise) c (concept, field, otherwise)
    cross join lateral (
      select d.id, d.seq from ${s}.heads d
      where d.ready and not d.held and d.owner = o.owner and d.concept = c.concept and d.partition = h.partition
        and ${fits(s)}
      order by d.seq limit _k
    ) r
    order by r.seq limit least(_k, _per_partition - busy.running)
  ) oldest
  cross join lateral (select * from ${s}.heads e where e.id = oldest.id offset 0) d
  cross join lateral (
    select * from ${s}.nodes v where v.partition = d.partition and v.id = d.id and v.version = d.version offset 0
  ) n
  where h.partition = any (_locked)
  order by h.partition, oldest.seq;
end
$body$;`
}

/** A ready head of concept `c` that is among the children and of the kinds that were named, where any were. */
export function fits(s: string): string {
  return `(_parents is null or d.parent = any (_parents)) and (_kinds is null or c.field is null or coalesce((
          select v.payload ->> c.field from ${s}.nodes v
          where v.partition = d.partition and v.id = d.id and v.version = d.version
        ), c.otherwise) = any (_kinds))`
}
