/**
 * The SQL functions that claim. They pick the next heads in fair order, lock those that are free, and write them with `append` if they are
 * the ones that the worker decided on. A partition that another worker uses, or a head that another process writes, is skipped; the
 * function waits for one only if no other partition is left. Without decided claims they return what would be next.
 */
export function takeFunctions(s: string): string {
  return `${takeCall(s)}
${nextHeads(s)}
${take(s)}`
}

function takeCall(s: string): string {
  return `
create type ${s}.take_call as (
  session text, now bigint, owners text[], concepts text[], kind_fields text[], kind_otherwise text[], partitions text[],
  parents text[], kinds text[], k integer, per_partition integer, look integer, hold boolean,
  claimed text[], versions integer[], append jsonb, rows json
);`
}

/**
 * The next heads of several partitions, by start-time fair queueing. A unit of a partition starts where its predecessor ended, each costs
 * one, and the earliest start is first. Every earlier partition gets at least one turn, so only as many heads are read as can still get
 * one.
 */
function nextHeads(s: string): string {
  return `
create function ${s}.next_heads(_call ${s}.take_call, _partitions text[], _clock double precision, _most integer)
returns table (id text, version integer, partition text, start double precision)
language plpgsql stable
  set plan_cache_mode = force_generic_plan set enable_seqscan = off
as $body$
#variable_conflict use_column
begin
  return query
  select f.id, f.version, f.partition, f.start from (
    select q.id, q.version, q.seq, p.partition,
      p.start + row_number() over (partition by p.place order by q.seq) - 1 as start
    from (
      select h.partition, greatest(h.virtual_time, _clock) as start, busy.room,
        row_number() over (order by greatest(h.virtual_time, _clock), h.partition) as place
      from unnest(_partitions) u (partition)
      cross join lateral (select * from ${s}.shares e where e.partition = u.partition offset 0) h
      cross join lateral (${room(s, 'u.partition')}) busy
      where busy.room > 0
    ) p
    cross join lateral (
      select d.id, d.version, d.seq from ${scope}
      cross join lateral (
        select d.id, d.version, d.seq from ${s}.heads d where ${fits(s, 'p.partition')}
        order by d.seq limit least(p.room, _most - p.place + 1)
      ) d
      order by d.seq limit least(p.room, _most - p.place + 1)
    ) q
    where p.place <= _most
  ) f order by f.start, f.partition collate "C", f.seq limit _most;
end
$body$;`
}

function take(s: string): string {
  return `
create function ${s}.take(_given json) returns json language plpgsql
  set plan_cache_mode = force_generic_plan set enable_seqscan = off
as $body$
#variable_conflict use_column
declare
  _call ${s}.take_call := json_populate_record(null::${s}.take_call, _given);
  _now bigint := coalesce(_call.now, floor(extract(epoch from clock_timestamp()) * 1000)::bigint);
  _clock double precision := coalesce((select max(h.last_start) from ${s}.shares h), 0);
  _waiting text[];
  _fresh boolean;
  _locked text[];
  _ids text[];
  _versions integer[];
  _of text[];
  _starts double precision[];
  _ends double precision[];
  _seqs bigint[];
begin
  if not exists (select from ${s}.sessions h where h.id = _call.session and h.lease_until > _now) then
    return json_build_object('outcome', 'lost');
  end if;

  -- Two looks into an index for each partition that waits, however much waits in it.
  with recursive walk as (
    select o.owner, c.concept, (
      select min(h.partition) from ${s}.heads h
      where h.ready and not h.held and h.owner = o.owner and h.concept = c.concept
    ) as partition
    from unnest(_call.owners) o (owner) cross join unnest(_call.concepts) c (concept) where _call.partitions is null
    union all
    select w.owner, w.concept, (
      select min(h.partition) from ${s}.heads h
      where h.ready and not h.held and h.owner = w.owner and h.concept = w.concept and h.partition > w.partition
    ) from walk w where w.partition is not null
  ), waiting as (
    select distinct w.partition from walk w where w.partition is not null
    union all select unnest(_call.partitions)
  )
  select array_agg(w.partition order by greatest(h.virtual_time, _clock), w.partition),
    true = any (array_agg(h.virtual_time is null))
  into _waiting, _fresh
  from waiting w
  left join lateral (select e.virtual_time from ${s}.shares e where e.partition = w.partition offset 0) h on true;
  if _fresh then
    insert into ${s}.shares (partition) select w from unnest(_waiting) w order by w collate "C" on conflict do nothing;
  end if;

  if _call.claimed is not null or _call.hold then
    select array_agg(l.partition) into _locked from (${lock(s, 'skip locked')} limit _call.k) l;
    if _locked is null then
      select array_agg(l.partition) into _locked from (${lock(s, '')} limit 1) l;
    end if;
    -- Who had the share a moment ago has moved the clock.
    _clock := coalesce((select max(h.last_start) from ${s}.shares h), 0);
    select array_agg(f.id), array_agg(f.version), array_agg(f.partition), array_agg(f.start), array_agg(f.ends)
    into _ids, _versions, _of, _starts, _ends
    from (
      select f.id, f.version, f.partition, f.start, f.start + 1 as ends
      from ${s}.next_heads(_call, _locked, _clock, _call.k + 4) f
      cross join lateral (
        select from ${s}.heads h where h.id = f.id and h.version = f.version for update skip locked
      ) free
      limit _call.k
    ) f;
    if _call.claimed = _ids and _call.versions = _versions then
      _seqs := ${s}.append(_call.append, _call.rows, null::text[]);
      update ${s}.shares h set virtual_time = c.ends, last_start = _starts[cardinality(_starts)]
      from (
        select u.partition, max(u.ends) as ends from unnest(_of, _ends) u (partition, ends) group by u.partition
      ) c where h.partition = c.partition;
      _clock := greatest(_clock, _starts[cardinality(_starts)]);
    else
      return json_build_object('ready', ${s}.known_heads(_ids));
    end if;
  end if;
  if _call.look > 0 then
    -- By the time they are asked for, others may have ended.
    _call.per_partition := 2147483647;
    _ids := array(select f.id from ${s}.next_heads(_call, _waiting[1:_call.look + _call.k], _clock, _call.look) f);
    return json_build_object('seqs', _seqs, 'ready', ${s}.known_heads(_ids));
  end if;
  return json_build_object('seqs', _seqs);
end
$body$;`
}

/** How many more nodes of a partition may run. */
function room(s: string, partition: string): string {
  return `select _call.per_partition - count(*)::integer as room from (
        select from ${s}.heads b where b.running and b.partition = ${partition} limit _call.per_partition
      ) b`
}

const scope = `unnest(_call.owners) o (owner)
      cross join unnest(_call.concepts, _call.kind_fields, _call.kind_otherwise) c (concept, field, otherwise)`

/** A ready head \`d\` that is among the requested children and kinds, if any were requested. */
function fits(s: string, partition: string): string {
  return `d.ready and not d.held and d.owner = o.owner and d.concept = c.concept and d.partition = ${partition}
          and (_call.parents is null or d.parent = any (_call.parents))
          and (_call.kinds is null or c.field is null or coalesce((
            select v.payload ->> c.field from ${s}.nodes v
            where v.partition = d.partition and v.id = d.id and v.version = d.version
          ), c.otherwise) = any (_call.kinds))`
}

/** Locks the waiting partitions in fair order, if they have room and a node for this worker, checked one by one. */
function lock(s: string, how: string): string {
  return `
      select w.partition from unnest(_waiting) w (partition)
      cross join lateral (select from (${room(s, 'w.partition')}) busy where busy.room > 0 offset 0) room
      cross join lateral (
        select from ${scope}
        cross join lateral (select from ${s}.heads d where ${fits(s, 'w.partition')} limit 1) d limit 1
      ) something
      cross join lateral (select from ${s}.shares h where h.partition = w.partition for update ${how}) share`
}
