/**
 * The next heads of several partitions in fair order: of each as many as would be its turn, by start-time fair queueing. A
 * unit of a partition starts where the one before ended, each costs 1/weight, and the earliest start goes first. Only the
 * heads that are their turn are read, unless a partition has fewer than that.
 */
import { fits } from './claimable-function.ts'

export function fairHeadsFunction(s: string): string {
  return `
create or replace function ${s}.fair_heads(
  _owners text[], _concepts text[], _parents text[], _kinds text[], _kind_fields text[], _kind_otherwise text[],
  _per_partition integer, _partitions text[], _clock double precision, _most integer
) returns table (id text, version integer, partition text, start double precision, weight double precision)
language plpgsql stable
  set plan_cache_mode = force_generic_plan set enable_seqscan = off
as $body$
#variable_conflict use_column
declare
  _names text[];
  _starts double precision[];
  _weights double precision[];
  _rooms integer[];
  _turns integer[];
  _ids text[];
  _versions integer[];
  _of text[];
  _at double precision[];
  _cost double precision[];
begin
  select array_agg(p.partition order by p.start, p.partition), array_agg(p.start order by p.start, p.partition),
    array_agg(p.weight order by p.start, p.partition), array_agg(p.room order by p.start, p.partition)
  into _names, _starts, _weights, _rooms
  from (
    select h.partition, greatest(h.virtual_time, _clock) as start, h.weight,
      least(_most, _per_partition - busy.running) as room
    from unnest(_partitions) u (partition)
    cross join lateral (select * from ${s}.shares e where e.partition = u.partition offset 0) h
    cross join lateral (
      select count(*)::integer as running from (
        select from ${s}.heads b where b.running and b.partition = u.partition limit _per_partition
      ) b
    ) busy
  ) p where p.room > 0;
  if _names is null then
    return;
  end if;

  -- Whose turn it is if each has all it has room for. What starts behind the last that may get a turn at all gets none.
  select array_agg(coalesce(t.turns, 0) order by p.n) into _turns
  from unnest(_names) with ordinality p (name, n)
  left join (
    select u.n, count(*)::integer as turns from (
      select p.n from unnest(_names, _starts, _weights, _rooms) with ordinality p (name, start, weight, room, n)
      cross join lateral generate_series(
        0, least(p.room - 1, floor((coalesce(_starts[_most], 'infinity') - p.start) * p.weight))::integer
      ) g
      order by p.start + g / p.weight, p.name collate "C" limit _most
    ) u group by u.n
  ) t on t.n = p.n;

  -- One that has fewer leaves its turns to the others, and then of all of them as many are read as there is room for.
  loop
    select array_agg(f.id order by f.n), array_agg(f.version order by f.n), array_agg(f.name order by f.n),
      array_agg(f.start order by f.n), array_agg(f.weight order by f.n)
    into _ids, _versions, _of, _at, _cost
    from (
      select r.id, r.version, p.name, p.weight, p.start + (r.n - 1) / p.weight as start,
        row_number() over (order by p.start + (r.n - 1) / p.weight, p.name collate "C", r.n) as n
      from unnest(_names, _starts, _weights, _turns) with ordinality p (name, start, weight, turns, n)
      cross join lateral (
        select q.id, q.version, row_number() over (order by q.seq) as n from (
          select d.id, d.version, d.seq
          from unnest(_owners) o (owner)
          cross join unnest(_concepts, _kind_fields, _kind_otherwise) c (concept, field, otherwise)
          cross join lateral (
            select d.id, d.version, d.seq from ${s}.heads d
            where d.ready and not d.held and d.owner = o.owner and d.concept = c.concept and d.partition = p.name
              and ${fits(s)}
            order by d.seq limit p.turns
          ) d
          order by d.seq limit p.turns
        ) q
      ) r
      where p.turns > 0
    ) f where f.n <= _most;
    exit when _turns = _rooms or cardinality(_ids) >= (select sum(t) from unnest(_turns) t);
    _turns := _rooms;
  end loop;
  return query select * from unnest(_ids, _versions, _of, _at, _cost);
end
$body$;`
}
