/**
 * An append as one statement: lock what was judged, refuse when any of it has moved, write. Every statement inside takes
 * a new snapshot, so what is counted after a lock was waited for counts what the other writer left. Its plans are kept,
 * so they go by the indexes even when they are made while the tables are empty.
 */
export function appendFunction(s: string): string {
  return `
create or replace function ${s}.any_taken(_ids text[]) returns boolean language plpgsql stable set enable_seqscan = off as $body$
begin
  -- Probed one by one: a plan for all at once, made while the table was small, would scan it.
  return exists (select from unnest(_ids) as u (id) where (select true from ${s}.heads h where h.id = u.id));
end
$body$;

create or replace function ${s}.append(
  _full boolean, _at bigint, _owner text, _actor text, _unseen text[],
  _known_id text[], _known_version integer[], _known_written boolean[], _absent_parents text[],
  _v_id text[], _v_concept text[], _v_partition text[], _v_version integer[], _v_mutation text[], _v_status text[],
  _v_old_status text[], _v_payload text[],
  _h_at integer[], _h_new boolean[], _h_id text[], _h_concept text[], _h_partition text[], _h_version integer[],
  _h_status text[], _h_first bigint[], _h_parent text[], _h_ready boolean[], _h_running boolean[], _h_done boolean[],
  _h_session text[], _h_wake bigint[], _h_remaining integer[], _h_held boolean[],
  _flip_id text[], _flip_delta integer[],
  _hold_parent text[], _hold_concept text[], _hold_held boolean[], _hold_new boolean[],
  _cleared_source text[], _cleared_field text[],
  _edge_source text[], _edge_field text[], _edge_target text[], _edge_depends boolean[],
  _r_id text[], _r_concept text[], _r_partition text[], _r_version integer[], _r_status text[], _r_active boolean[],
  _r_ages bigint[], _r_text text[], _r_lexemes text[], _r_same boolean[], _r_vec integer[],
  _unfound text[],
  _vec_item integer[], _vec_embedder integer[], _vec_unit bytea[], _vec_quantized bytea[], _vec_scale double precision[],
  _vec_error double precision[], _vec anyarray
) returns bigint[] language plpgsql
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
  set plan_cache_mode = force_generic_plan
as $body$
declare
  _seqs bigint[];
  _seq bigint;
  _alone boolean;
  _keys bigint[];
  _ids text[];
  _unembedded bigint[];
  _row record;
  _version integer;
begin
  if cardinality(_unseen) > 0 and ${s}.any_taken(_unseen) then
    return null;
  end if;

  if not _full then
    perform set_config('synchronous_commit', 'off', true);
  elsif current_setting('synchronous_commit') = 'off' then
    perform set_config('synchronous_commit', 'on', true);
  end if;

  -- The transaction has its number before it takes sequence numbers, so a snapshot tells which gaps may still fill.
  perform pg_current_xact_id();

  if cardinality(_known_id) > 0 then
    for _row in select k.id, k.version, k.written
      from unnest(_known_id, _known_version, _known_written) as k (id, version, written) order by k.id collate "C"
    loop
      if _row.written then
        select h.version into _version from ${s}.heads h where h.id = _row.id for update;
      else
        select h.version into _version from ${s}.heads h where h.id = _row.id for share;
      end if;
      if _version is distinct from _row.version then
        raise exception 'somebody wrote % in between', _row.id using errcode = 'AGM01';
      end if;
    end loop;
  end if;

  -- A child that finds no parent and a parent that finds no child must not pass each other unseen.
  if cardinality(_absent_parents) > 0 then
    perform pg_advisory_xact_lock_shared(hashtextextended('${s.replaceAll("'", "''")}' || p.id, 0))
      from (select distinct unnest(_absent_parents) as id order by 1) p;
    if exists (select from ${s}.heads h where h.id = any (_absent_parents)) then
      raise exception 'a parent appeared in between' using errcode = 'AGM01';
    end if;
  end if;
  if true = any (_hold_new) then
    perform pg_advisory_xact_lock(hashtextextended('${s.replaceAll("'", "''")}' || p.id, 0))
      from (select distinct u.id from unnest(_hold_parent, _hold_new) as u (id, fresh) where u.fresh order by 1) p;
  end if;

  -- Most appends are one version of one head that is there: no arrays to unpack, and one statement for both.
  _alone := coalesce(cardinality(_v_id) = 1 and cardinality(_h_id) = 1 and not _h_new[1], false);
  if _alone then
    with added as (
      insert into ${s}.nodes
        (partition, id, version, concept, owner, created_by, created_at, mutation, status, old_status, payload)
      values (_v_partition[1], _v_id[1], _v_version[1], _v_concept[1], _owner, _actor, _at, _v_mutation[1], _v_status[1],
        _v_old_status[1], _v_payload[1]::json)
      returning seq
    )
    update ${s}.heads h set version = _h_version[1], seq = n.seq, status = _h_status[1], created_at = _at,
      parent = _h_parent[1], ready = _h_ready[1], running = _h_running[1], done = _h_done[1], session = _h_session[1],
      wake_at = _h_wake[1]
    from added n where h.id = _h_id[1]
    returning h.seq into _seq;
    _seqs := array[_seq];
  else
    with added as (
      insert into ${s}.nodes
        (partition, id, version, concept, owner, created_by, created_at, mutation, status, old_status, payload)
      select v.partition, v.id, v.version, v.concept, _owner, _actor, _at, v.mutation, v.status, v.old_status, v.payload::json
      from unnest(_v_id, _v_concept, _v_partition, _v_version, _v_mutation, _v_status, _v_old_status, _v_payload)
        with ordinality as v (id, concept, partition, version, mutation, status, old_status, payload, n)
      order by v.n
      returning seq
    )
    select array_agg(seq order by seq) into _seqs from added;
  end if;

  if cardinality(_flip_id) > 0 then
    perform 1 from ${s}.heads where id in (select e.source from ${s}.edges e where e.depends and e.target = any (_flip_id))
      order by id for update;
    update ${s}.heads h set remaining = h.remaining + f.delta
    from (
      select e.source, sum(u.delta) as delta
      from unnest(_flip_id, _flip_delta) as u (id, delta)
      join ${s}.edges e on e.target = u.id and e.depends
      group by e.source
    ) f
    where h.id = f.source;
  end if;

  if cardinality(_hold_parent) > 0 then
    update ${s}.heads h set held = u.held
    from unnest(_hold_parent, _hold_concept, _hold_held) as u (parent, concept, held)
    where h.parent = u.parent and h.concept = u.concept;
  end if;

  if true = any (_h_new) then
    insert into ${s}.heads
      (id, partition, concept, owner, version, seq, status, created_at, first_created_at, parent, ready, running, done,
       session, wake_at, remaining, held)
    select u.id, u.partition, u.concept, _owner, u.version, _seqs[u.at], u.status, _at, u.first, u.parent, u.ready,
      u.running, u.done, u.session, u.wake, u.remaining, u.held
    from unnest(_h_at, _h_new, _h_id, _h_concept, _h_partition, _h_version, _h_status, _h_first, _h_parent, _h_ready,
      _h_running, _h_done, _h_session, _h_wake, _h_remaining, _h_held)
      as u (at, fresh, id, concept, partition, version, status, first, parent, ready, running, done, session, wake,
        remaining, held)
    where u.fresh;
  end if;
  if not _alone and false = any (_h_new) then
    update ${s}.heads h set version = u.version, seq = _seqs[u.at], status = u.status, created_at = _at,
      parent = u.parent, ready = u.ready, running = u.running, done = u.done, session = u.session, wake_at = u.wake
    from unnest(_h_at, _h_new, _h_id, _h_version, _h_status, _h_parent, _h_ready, _h_running, _h_done, _h_session,
      _h_wake)
      as u (at, fresh, id, version, status, parent, ready, running, done, session, wake)
    where not u.fresh and h.id = u.id;
  end if;

  if cardinality(_cleared_source) > 0 then
    delete from ${s}.edges e using unnest(_cleared_source, _cleared_field) as u (source, field)
    where e.source = u.source and e.field = u.field;
  end if;
  if cardinality(_edge_source) > 0 then
    insert into ${s}.edges (source, field, target, depends)
    select * from unnest(_edge_source, _edge_field, _edge_target, _edge_depends) on conflict do nothing;
  end if;

  if cardinality(_unfound) > 0 then
    delete from ${s}.items i using unnest(_unfound) as u (id)
    where i.owner = _owner and i.id = u.id and i.version is not null;
  end if;
  if cardinality(_r_id) > 0 then
    -- Rows come back in the order they are given, so a place says whose key it is and nothing has to be joined.
    with kept as (
      insert into ${s}.items
        (id, owner, partition, concept, source, status, active, created_at, ages_from, text, lexemes, version, embedder)
      select u.id, _owner, u.partition, u.concept, u.id, u.status, u.active, _at, u.ages, u.text, u.lexemes::tsvector,
        u.version, _vec_embedder[u.vec]
      from unnest(_r_id, _r_concept, _r_partition, _r_version, _r_status, _r_active, _r_ages, _r_text, _r_lexemes, _r_vec)
        as u (id, concept, partition, version, status, active, ages, text, lexemes, vec)
      on conflict (owner, id) do update set
        status = excluded.status, active = excluded.active, created_at = excluded.created_at,
        ages_from = excluded.ages_from, text = excluded.text, lexemes = excluded.lexemes, version = excluded.version,
        concept = excluded.concept, partition = excluded.partition, source = excluded.source, data = null,
        embedder = coalesce(excluded.embedder, case when items.text = excluded.text then items.embedder end),
        revision = case when items.text = excluded.text then items.revision else excluded.revision end,
        changed_in = pg_current_xact_id()
      returning key, id, embedder
    )
    select array_agg(key), array_agg(id), array_agg(key) filter (where embedder is null)
    into _keys, _ids, _unembedded from kept;
    if _ids <> _r_id then
      raise exception 'items came back in another order than they were given';
    end if;
    if false = any (_r_same) and _unembedded is not null then
      delete from ${s}.vectors v where v.key = any (_unembedded);
    end if;
    if cardinality(_vec_item) > 0 then
      -- The items name their embedder already; changing them once more would write every index entry twice.
      delete from ${s}.vectors v where v.key = any (array(select _keys[n] from unnest(_vec_item) as u (n)));
      if _vec is not null then
        insert into ${s}.vectors (key, embedder, vec)
        select _keys[u.item], u.embedder, u.vec
        from unnest(_vec_item, _vec_embedder, _vec) as u (item, embedder, vec) where u.vec is not null;
      end if;
      if _vec_unit is not null then
        insert into ${s}.vectors (key, embedder, unit, quantized, scale, error)
        select _keys[u.item], u.embedder, u.unit, u.quantized, u.scale, u.error
        from unnest(_vec_item, _vec_embedder, _vec_unit, _vec_quantized, _vec_scale, _vec_error)
          as u (item, embedder, unit, quantized, scale, error)
        where u.unit is not null;
      end if;
    end if;
  end if;
  return _seqs;
end
$body$;

create or replace function ${s}.put_vectors(
  _owner text, _id text[], _revision bigint[], _embedder integer[], _unit bytea[], _quantized bytea[],
  _scale double precision[], _error double precision[], _vec anyarray
) returns integer language plpgsql as $body$
declare
  _keys bigint[];
  _at integer[];
begin
  with wanted as (
    update ${s}.items i set embedder = u.embedder, changed_in = pg_current_xact_id()
    from unnest(_id, _revision, _embedder) with ordinality as u (id, revision, embedder, n)
    where i.id = u.id and (i.revision = u.revision or (u.revision is null and i.owner = _owner))
    returning i.key, u.n
  )
  select array_agg(key), array_agg(n) into _keys, _at from wanted;
  if _keys is null then
    return 0;
  end if;
  perform ${s}.write_vectors(_keys, _at, _embedder, _unit, _quantized, _scale, _error, _vec);
  return cardinality(_keys);
end
$body$;

create or replace function ${s}.write_vectors(
  _keys bigint[], _at integer[], _embedder integer[], _unit bytea[], _quantized bytea[], _scale double precision[],
  _error double precision[], _vec anyarray
) returns void language plpgsql as $body$
begin
  delete from ${s}.vectors v where v.key = any (_keys);
  if _vec is not null then
    insert into ${s}.vectors (key, embedder, vec)
    select w.key, _embedder[w.n], u.vec
    from unnest(_keys, _at) as w (key, n)
    join unnest(_vec) with ordinality as u (vec, n) on u.n = w.n
    where u.vec is not null;
  end if;
  if _unit is not null then
    insert into ${s}.vectors (key, embedder, unit, quantized, scale, error)
    select w.key, _embedder[w.n], u.unit, u.quantized, _scale[w.n], _error[w.n]
    from unnest(_keys, _at) as w (key, n)
    join unnest(_unit, _quantized) with ordinality as u (unit, quantized, n) on u.n = w.n
    where u.unit is not null;
  end if;
end
$body$;`
}
