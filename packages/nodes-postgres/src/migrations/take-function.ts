/**
 * Claims by one statement what a worker expected to get, decided beforehand on versions it has seen: the oldest ready heads of
 * the only partition that has any, or the next in fair order where several have. Of those, what was expected is claimed up to
 * the first that was not; where that is nothing, nothing is written and the answer says what it would be. What comes next is
 * answered along with the claims. Of several partitions, those whose share another worker is using are passed over; only
 * when nothing else is left, one is waited for.
 */
import { fits } from './claimable-function.ts'
import { takeSeveral } from './take-several.ts'

export function oldestReadyFunction(s: string): string {
  return `
create or replace function ${s}.oldest_ready(
  _owners text[], _concepts text[], _partition text, _parents text[], _kinds text[], _kind_fields text[],
  _kind_otherwise text[], _most integer
) returns table (id text, seq bigint) language plpgsql stable
  set plan_cache_mode = force_generic_plan set enable_seqscan = off
as $body$
#variable_conflict use_column
begin
  return query
  select r.id, r.seq
  from unnest(_owners) o (owner)
  cross join unnest(_concepts, _kind_fields, _kind_otherwise) c (concept, field, otherwise)
  cross join lateral (
    select d.id, d.seq from ${s}.heads d
    where d.ready and not d.held and d.owner = o.owner and d.concept = c.concept and d.partition = _partition
      and ${fits(s)}
    order by d.seq limit _most
  ) r
  order by r.seq limit _most;
end
$body$;`
}

export function takeFunction(s: string): string {
  return `
create or replace function ${s}.take(
  _session text, _now bigint, _owners text[], _concepts text[], _partition text, _k integer, _per_partition integer,
  _parents text[], _kinds text[], _kind_fields text[], _kind_otherwise text[], _look integer,
  _full boolean, _at bigint, _owner text, _actor text,
  _known_id text[], _known_version integer[], _known_written boolean[],
  _v_id text[], _v_concept text[], _v_partition text[], _v_version integer[], _v_mutation text[], _v_status text[],
  _v_old_status text[], _v_payload text[],
  _h_at integer[], _h_new boolean[], _h_id text[], _h_concept text[], _h_partition text[], _h_version integer[],
  _h_status text[], _h_first bigint[], _h_parent text[], _h_ready boolean[], _h_running boolean[], _h_done boolean[],
  _h_session text[], _h_wake bigint[], _h_remaining integer[], _h_held boolean[],
  _r_id text[], _r_concept text[], _r_partition text[], _r_version integer[], _r_status text[], _r_active boolean[],
  _r_ages bigint[], _r_text text[], _r_lexemes text[], _r_same boolean[], _r_vec integer[]
) returns table (
  outcome text, seqs bigint[],
  first_created_at bigint, parent text, remaining integer, held boolean, session text, wake_at bigint, id text,
  concept text, version integer, seq bigint, owner text, partition text, created_by text, created_at bigint,
  mutation text, status text, old_status text, payload json, redacted boolean
) language plpgsql
  set plan_cache_mode = force_generic_plan set enable_seqscan = off
as $body$
#variable_conflict use_column
declare
  _first text := _partition;
  _last text := _partition;
  _time double precision;
  _weight double precision;
  _clock double precision;
  _busy integer;
  _n integer := coalesce(cardinality(_known_id), 0);
  _ids text[];
  _versions integer[];
  _waiting text[];
  _fresh boolean;
  _locked text[];
  _of text[];
  _starts double precision[];
  _ends double precision[];
begin
  if not exists (select from ${s}.sessions h where h.id = _session and h.lease_until > _now) then
    outcome := 'lost';
    return next;
    return;
  end if;

  if _partition is null then
    select min(e.first), max(e.last) into _first, _last
    from unnest(_owners) o (owner) cross join unnest(_concepts) c (concept)
    cross join lateral (
      select
        (select min(h.partition) from ${s}.heads h
          where h.ready and not h.held and h.owner = o.owner and h.concept = c.concept) as first,
        (select max(h.partition) from ${s}.heads h
          where h.ready and not h.held and h.owner = o.owner and h.concept = c.concept) as last
    ) e;
    if _first is null then
      return;
    end if;
  end if;
  if _first <> _last then
    ${takeSeveral(s, { free: free(s), claim: claim(s), answer: (heads, order) => answer(s, heads, order) })}
    return;
  end if;
  ${takeOne(s)}
end
$body$;`
}

/** The oldest of the only partition that has any. */
function takeOne(s: string): string {
  return `select h.virtual_time, h.weight into _time, _weight from ${s}.shares h where h.partition = _first for update;
  if not found then
    insert into ${s}.shares (partition) values (_first) on conflict do nothing;
    select h.virtual_time, h.weight into _time, _weight from ${s}.shares h where h.partition = _first for update;
  end if;
  select count(*) into _busy from (
    select from ${s}.heads h where h.running and h.partition = _first limit _per_partition
  ) b;
  if _busy >= _per_partition then
    return;
  end if;

  _n := least(_n, _k, _per_partition - _busy);
  if _n > 0 then
    select array_agg(r.id order by r.seq), array_agg(h.version order by r.seq) into _ids, _versions
    from ${s}.oldest_ready(
      _owners, _concepts, _first, _parents, _kinds, _kind_fields, _kind_otherwise, _n
    ) r cross join lateral (
      select e.version from ${s}.heads e where e.id = r.id offset 0
    ) h;
    if _ids is null then
      return;
    end if;
    _n := cardinality(_ids);
    if _ids = _known_id[1:_n] and _versions = _known_version[1:_n] and ${free(s)} then
      ${claim(s)}
      -- As a fair pick of this many from the only one waiting: it begins where the others are, and each costs 1/weight.
      _clock := coalesce((select max(h.last_start) from ${s}.shares h), 0);
      _time := greatest(_time, _clock);
      update ${s}.shares h set virtual_time = _time + _n / _weight, last_start = _time + (_n - 1) / _weight
      where h.partition = _first;
      outcome := 'taken';
      return next;
    else
      _look := greatest(_look, _k);
    end if;
  end if;
  if _look > 0 then
    ${answer(
      s,
      `${s}.oldest_ready(
      _owners, _concepts, _first, _parents, _kinds, _kind_fields, _kind_otherwise, _look
    ) r`,
      'r.seq',
    )}
  end if;`
}

/** The first `_n` of the claims that were decided beforehand; mostly those are all. */
function claim(s: string): string {
  return `if _n = cardinality(_known_id) then
        seqs := ${append(s, '')};
      else
        seqs := ${append(s, '[1:_n]')};
      end if;`
}

function append(s: string, part: string): string {
  const given = [
    ['_known_id', '_known_version', '_known_written'],
    ['null'],
    ['_v_id', '_v_concept', '_v_partition', '_v_version', '_v_mutation', '_v_status', '_v_old_status', '_v_payload'],
    ['_h_at', '_h_new', '_h_id', '_h_concept', '_h_partition', '_h_version', '_h_status', '_h_first', '_h_parent'],
    ['_h_ready', '_h_running', '_h_done', '_h_session', '_h_wake', '_h_remaining', '_h_held'],
    Array.from({ length: 12 }, () => 'null'),
    ['_r_id', '_r_concept', '_r_partition', '_r_version', '_r_status', '_r_active', '_r_ages', '_r_text'],
    ['_r_lexemes', '_r_same', '_r_vec'],
    Array.from({ length: 7 }, () => 'null'),
  ].flat()
  const values = given.map((name) => (name === 'null' ? name : `${name}${part}`))
  return `${s}.append(_full, _at, _owner, _actor, null, ${values.join(', ')}, null::double precision[])`
}

/**
 * What is claimed may be locked by somebody who writes it. He may wait for what this transaction has written before the
 * claims, so nobody waits for him here.
 */
function free(s: string): string {
  return `_n = (
        select count(*) from (
          select from ${s}.heads h where h.id = any (_known_id[1:_n]) for update skip locked
        ) l
      )`
}

/** What could be claimed, with its newest version: `heads` as `r`, in this order. */
function answer(s: string, heads: string, order: string): string {
  return `return query
    select 'ready', null::bigint[], d.first_created_at, d.parent, d.remaining, d.held, d.session, d.wake_at, n.id,
      n.concept, n.version, n.seq, n.owner, n.partition, n.created_by, n.created_at, n.mutation, n.status, n.old_status,
      n.payload, n.redacted
    from ${heads}
    cross join lateral (select * from ${s}.heads e where e.id = r.id offset 0) d
    cross join lateral (
      select * from ${s}.nodes v where v.partition = d.partition and v.id = d.id and v.version = d.version offset 0
    ) n
    order by ${order};`
}
