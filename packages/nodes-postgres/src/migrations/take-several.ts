/**
 * The part of `take` for several partitions that wait: finds them in fair order, locks the shares of as many as may get a
 * turn, and claims what was expected as far as it is their turn. The cost of finding them is two looks into an index for each
 * that waits, however much waits in it; everything else is of those that get a turn.
 */
import { fits } from './claimable-function.ts'

interface Pieces {
  /** Whether nobody writes the first `_n` that were decided beforehand. */
  readonly free: string
  /** Claims the first `_n` that were decided beforehand. */
  readonly claim: string
  /** Answers heads, named `r`, in an order. */
  readonly answer: (heads: string, order: string) => string
}

export function takeSeveral(s: string, { free, claim, answer }: Pieces): string {
  return `for _try in 1..3 loop
    _clock := coalesce((select max(h.last_start) from ${s}.shares h), 0);
    with recursive pairs as (
      select o.owner, c.concept from unnest(_owners) o (owner) cross join unnest(_concepts) c (concept)
    ), walk as (
      select p.owner, p.concept, (
        select min(h.partition) from ${s}.heads h
        where h.ready and not h.held and h.owner = p.owner and h.concept = p.concept
      ) as partition from pairs p
      union all
      select w.owner, w.concept, (
        select min(h.partition) from ${s}.heads h
        where h.ready and not h.held and h.owner = w.owner and h.concept = w.concept and h.partition > w.partition
      ) from walk w where w.partition is not null
    ), waiting as (
      select distinct w.partition from walk w where w.partition is not null
    )
    select array_agg(w.partition order by greatest(h.virtual_time, _clock), w.partition),
      true = any (array_agg(h.virtual_time is null))
    into _waiting, _fresh
    from waiting w
    left join lateral (select e.virtual_time from ${s}.shares e where e.partition = w.partition offset 0) h on true;
    if _waiting is null then
      return;
    end if;
    if _fresh then
      insert into ${s}.shares (partition) select w from unnest(_waiting) w order by w collate "C" on conflict do nothing;
    end if;

    -- One after the other, so that no more are looked at than it takes.
    select array_agg(l.partition) into _locked from (${lock(s, 'limit 1 for update skip locked')} limit _k) l;
    if _locked is null then
      select array_agg(l.partition) into _locked from (${lock(s, 'limit 1 for update')} limit 1) l;
    end if;
    if _locked is null then
      return;
    end if;
    _clock := coalesce((select max(h.last_start) from ${s}.shares h), 0);
    select array_agg(f.id), array_agg(f.version), array_agg(f.partition), array_agg(f.start + 1 / f.weight),
      array_agg(f.start)
    into _ids, _versions, _of, _ends, _starts
    from ${s}.fair_heads(
      _owners, _concepts, _parents, _kinds, _kind_fields, _kind_otherwise, _per_partition, _locked, _clock, _k
    ) f;
    -- Who had the share a moment ago may have left nothing.
    exit when _ids is not null;
  end loop;
  if _ids is null then
    return;
  end if;

  _n := least(_n, cardinality(_ids));
  select coalesce(min(u.n) - 1, _n) into _n
  from unnest(_ids[1:_n], _versions[1:_n], _known_id[1:_n], _known_version[1:_n])
    with ordinality u (id, version, known, known_version, n)
  where u.id <> u.known or u.version <> u.known_version;
  if _n > 0 and ${free} then
    ${claim}
    update ${s}.shares h set virtual_time = c.time, last_start = _starts[_n]
    from (
      select u.name, max(u.time) as time from unnest(_of[1:_n], _ends[1:_n]) u (name, time) group by u.name
    ) c where h.partition = c.name;
    _clock := greatest(_clock, _starts[_n]);
    outcome := 'taken';
    return next;
  else
    _look := greatest(_look, _k);
  end if;
  if _look > 0 then
    ${answer(
      `${s}.fair_heads(
      _owners, _concepts, _parents, _kinds, _kind_fields, _kind_otherwise, _per_partition,
      _locked || (select array_agg(w) from unnest(_waiting[1:_look + _k]) w where w <> all (_locked)), _clock, _look
    ) with ordinality r (id, version, partition, start, weight, n)`,
      'r.n',
    )}
  end if;`
}

/** The shares of the waiting partitions, in fair order, that have room and something for this taker. */
function lock(s: string, how: string): string {
  return `
        select o.partition from unnest(_waiting) o (partition)
        cross join lateral (
          select from (
            select count(*) as running from (
              select from ${s}.heads b where b.running and b.partition = o.partition limit _per_partition
            ) b
          ) b where b.running < _per_partition offset 0
        ) room
        cross join lateral (
          select d.id from unnest(_owners) w (owner)
          cross join unnest(_concepts, _kind_fields, _kind_otherwise) c (concept, field, otherwise)
          cross join lateral (
            select d.id from ${s}.heads d
            where d.ready and not d.held and d.owner = w.owner and d.concept = c.concept and d.partition = o.partition
              and ${fits(s)}
            limit 1
          ) d
          limit 1
        ) something
        cross join lateral (select from ${s}.shares h where h.partition = o.partition ${how}) share`
}
