/**
 * The SQL functions that claim. They pick the next heads in fair order, lock those that are free, and write them with `append` if they are
 * the ones that the worker decided on. A partition that another worker uses, or a head that another process writes, is skipped; the
 * function waits for one only if no other partition is left. Without decided claims they return what would be next.
 */
export function takeFunctions(s: string): string {
  return `${takeCall(s)}
${nextHeads(s)}
${nextOfFlow(s)}
${take(s)}`
}

/** Removes the functions of an earlier version, which have other parts. */
export function dropTakeFunctions(s: string): string {
  return `
drop function ${s}.take(json);
drop function if exists ${s}.next_of_flow(${s}.take_call, text[], double precision, integer);
drop function ${s}.next_heads(${s}.take_call, text[], double precision, integer);
drop type ${s}.take_call;`
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
returns table (id text, version integer, partition text, start double precision, gate text)
language plpgsql stable
  set plan_cache_mode = force_generic_plan set enable_seqscan = off
as $body$
#variable_conflict use_column
begin
  return query
  select f.id, f.version, f.partition, f.start, null::text from (
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
        select d.id, d.version, d.seq from ${s}.heads d where d.gate is null and ${fits(s, 'p.partition')}
        order by d.seq limit least(p.room, _most - p.place + 1)
      ) d
      order by d.seq limit least(p.room, _most - p.place + 1)
    ) q
    where p.place <= _most
  ) f order by f.start, f.partition collate "C", f.seq limit _most;
end
$body$;`
}

/**
 * The same where nodes with flow control wait. It looks once at each gate of a partition, however many nodes wait before it, and lets as many
 * through as the limits of their keys allow over all partitions. Nodes of a partition are in the order of their rank; that of a node without
 * flow control is the time at which it became ready.
 */
function nextOfFlow(s: string): string {
  const most = 'least(p.room, _most - p.place + 1)'
  const before = `h.ready and not h.held and h.gate is not null`
  return `
create function ${s}.next_of_flow(_call ${s}.take_call, _partitions text[], _clock double precision, _most integer)
returns table (id text, version integer, partition text, start double precision, gate text)
language plpgsql stable
  set plan_cache_mode = force_generic_plan set enable_seqscan = off
as $body$
#variable_conflict use_column
begin
  return query
  with recursive lanes as materialized (
    select h.partition, greatest(h.virtual_time, _clock) as start, busy.room,
      row_number() over (order by greatest(h.virtual_time, _clock), h.partition) as place
    from unnest(_partitions) u (partition)
    cross join lateral (select * from ${s}.shares e where e.partition = u.partition offset 0) h
    cross join lateral (${room(s, 'u.partition')}) busy
    where busy.room > 0
  ), found as (
    select p.place, p.partition, p.room, o.owner, c.concept, c.field, c.otherwise, n.gate
    from lanes p cross join ${scope}
    cross join lateral (
      select min(h.gate) as gate from ${s}.heads h
      where ${before} and h.owner = o.owner and h.concept = c.concept and h.partition = p.partition
    ) n where p.place <= _most and n.gate is not null
    union all
    select f.place, f.partition, f.room, f.owner, f.concept, f.field, f.otherwise, n.gate
    from found f
    cross join lateral (
      select min(h.gate) as gate from ${s}.heads h
      where ${before} and h.owner = f.owner and h.concept = f.concept and h.partition = f.partition and h.gate > f.gate
    ) n where n.gate is not null
  ), running as materialized (
    select b.owner, b.gate::json ->> 0 as key, count(*) as count from unnest(_call.owners) o (owner)
    cross join lateral (
      select b.owner, b.gate from ${s}.heads b where b.running and b.gate is not null and b.owner = o.owner
    ) b group by 1, 2
  ), gates as materialized (
    select g.owner, g.gate, l.limit_key, l.rate_key, l.at_once - coalesce(r.count, 0) as limit_room, (
        l.starts - (select count(*) from ${s}.starts t
          where t.owner = g.owner and t.key = l.rate_key and t.at > _call.now - l.per_ms)
      ) as rate_room
    from (select distinct f.owner, f.gate from found f) g
    cross join lateral (select nullif(g.gate, '')::json as of) j
    cross join lateral (
      select j.of ->> 0 as limit_key, (j.of ->> 1)::bigint as at_once, j.of ->> 2 as rate_key,
        (j.of ->> 3)::bigint as starts, (j.of ->> 4)::double precision as per_ms
    ) l
    left join running r on r.owner = g.owner and r.key = l.limit_key
  ), candidates as (
    select p.place, p.partition, p.start, q.* from lanes p
    cross join lateral (
      select * from (
        select d.id, d.version, d.seq, d.created_at as rank, d.owner, null::text as gate, null::text as limit_key,
          null::text as rate_key, null::bigint as limit_room, null::bigint as rate_room
        from ${scope}
        cross join lateral (
          select * from ${s}.heads d where d.gate is null and ${fits(s, 'p.partition')} order by d.seq limit ${most}
        ) d
        union all
        select d.id, d.version, d.seq, d.rank, d.owner, d.gate, g.limit_key, g.rate_key, g.limit_room, g.rate_room
        from (select * from found f where f.place = p.place) o
        join gates g on g.owner = o.owner and g.gate = o.gate
        cross join lateral (select o.concept, o.field, o.otherwise) c
        cross join lateral (
          select * from ${s}.heads d where d.gate is not null and d.gate = o.gate and ${fits(s, 'p.partition')}
          order by d.rank, d.seq limit greatest(0, least(${most}, g.limit_room, g.rate_room))
        ) d
      ) a order by rank, seq limit ${most}
    ) q
    where p.place <= _most
  ), counted as (
    select c.*,
      row_number() over (partition by c.owner, c.limit_key order by c.place, c.rank, c.seq) as nth_of_limit,
      row_number() over (partition by c.owner, c.rate_key order by c.place, c.rank, c.seq) as nth_of_rate
    from candidates c
  )
  select f.id, f.version, f.partition, f.start, f.gate from (
    select c.*, c.start + row_number() over (partition by c.place order by c.rank, c.seq) - 1 as start_of_unit
    from counted c
    where (c.limit_key is null or c.nth_of_limit <= c.limit_room) and (c.rate_key is null or c.nth_of_rate <= c.rate_room)
  ) c
  cross join lateral (select c.id, c.version, c.partition, c.start_of_unit as start, c.gate, c.rank, c.seq) f
  order by f.start, f.partition collate "C", f.rank, f.seq limit _most;
end
$body$;`
}

function take(s: string): string {
  const name = s.replaceAll("'", "''")
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
  _gates text[];
  _seqs bigint[];
  -- One look into an index per owner, which finds nothing where no flow control is used.
  _flow boolean := exists (
    select from unnest(_call.owners) o (owner)
    cross join lateral (
      select from ${s}.heads h where h.ready and not h.held and h.gate is not null and h.owner = o.owner limit 1
    ) h
  );
  _others text[];
begin
  if not exists (select from ${s}.sessions h where h.id = _call.session and h.lease_until > _now) then
    return json_build_object('outcome', 'lost');
  end if;
  _call.now := _now;
  if _flow and _call.partitions is null then
    _others := array(
      with recursive ${walk(s, 'h.gate is not null')} select distinct w.partition from walk w where w.partition is not null
    );
  end if;

  -- Two looks into an index for each partition that waits, however much waits in it.
  with recursive ${walk(s, 'h.gate is null')}, waiting as (
    select distinct w.partition from walk w where w.partition is not null
    union select unnest(_others)
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
    if not _flow then
      ${pick(s, 'next_heads')}
    else
      -- A start counts from the time that the claim names, so that the log shows the limits kept.
      _call.now := least(_now, (select min(r.created_at) from json_populate_recordset(null::${s}.append_row, _call.rows) r));
      ${pick(s, 'next_of_flow')}
      if cardinality(array_remove(_gates, null)) > 0 then
        -- Limits hold over partitions, so claims that have to keep them are made one after the other. What is picked after the wait
        -- takes the others into account.
        perform pg_advisory_xact_lock(hashtextextended('${name} flow ' || o.owner, 0))
          from (select distinct u.owner from unnest(_call.owners) u (owner) order by 1) o;
        ${pick(s, 'next_of_flow')}
      end if;
    end if;
    if _call.claimed = _ids and _call.versions = _versions then
      _seqs := ${s}.append(_call.append, _call.rows, null::text[]);
      if _flow then
        ${countStarts(s)}
      end if;
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
    if _flow then
      _ids := array(select f.id from ${s}.next_of_flow(_call, _waiting[1:_call.look + _call.k], _clock, _call.look) f);
    else
      _ids := array(select f.id from ${s}.next_heads(_call, _waiting[1:_call.look + _call.k], _clock, _call.look) f);
    end if;
    return json_build_object('seqs', _seqs, 'ready', ${s}.known_heads(_ids));
  end if;
  return json_build_object('seqs', _seqs);
end
$body$;`
}

/** The partitions in which nodes wait, by owner and concept. Two looks into an index for each. */
function walk(s: string, which: string): string {
  const waits = `h.ready and not h.held and ${which}`
  return `walk as (
    select o.owner, c.concept, (
      select min(h.partition) from ${s}.heads h where ${waits} and h.owner = o.owner and h.concept = c.concept
    ) as partition
    from unnest(_call.owners) o (owner) cross join unnest(_call.concepts) c (concept) where _call.partitions is null
    union all
    select w.owner, w.concept, (
      select min(h.partition) from ${s}.heads h
      where ${waits} and h.owner = w.owner and h.concept = w.concept and h.partition > w.partition
    ) from walk w where w.partition is not null
  )`
}

/** Picks and locks the next heads that no other process writes. */
function pick(s: string, from: 'next_heads' | 'next_of_flow'): string {
  return `select array_agg(f.id), array_agg(f.version), array_agg(f.partition), array_agg(f.start), array_agg(f.ends),
        array_agg(f.gate)
      into _ids, _versions, _of, _starts, _ends, _gates
      from (
        select f.id, f.version, f.partition, f.start, f.start + 1 as ends, f.gate
        from ${s}.${from}(_call, _locked, _clock, _call.k + 4) f
        cross join lateral (
          select from ${s}.heads h where h.id = f.id and h.version = f.version for update skip locked
        ) free
        limit _call.k
      ) f;`
}

/** A claim may name a time that lies before claims which were committed earlier, by less than this. */
const latestClaimMs = 60_000

/** Counts the claims that a rate limits, and forgets those that can no longer count. */
function countStarts(s: string): string {
  const claimed = `unnest(_ids, _gates) u (id, gate)
          cross join lateral (select nullif(u.gate, '')::json as of) j
          cross join lateral (select h.owner, h.created_at from ${s}.heads h where h.id = u.id) h`
  return `delete from ${s}.starts t using (
          select distinct h.owner, j.of ->> 2 as key, h.created_at - (j.of ->> 4)::double precision - ${latestClaimMs} as until from ${claimed}
        ) c where t.owner = c.owner and t.key = c.key and t.at <= c.until;
        insert into ${s}.starts (owner, key, at)
        select h.owner, j.of ->> 2, h.created_at from ${claimed} where j.of ->> 2 is not null;`
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
  return `d.ready and not d.held and (d.wake_at is null or d.wake_at > _call.now)
          and d.owner = o.owner and d.concept = c.concept and d.partition = ${partition}
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
        cross join lateral (
          (select from ${s}.heads d where d.gate is null and ${fits(s, 'w.partition')} limit 1)
          union all
          (select from ${s}.heads d where _flow and d.gate is not null and ${fits(s, 'w.partition')} limit 1)
        ) d limit 1
      ) something
      cross join lateral (select from ${s}.shares h where h.partition = w.partition for update ${how}) share`
}
