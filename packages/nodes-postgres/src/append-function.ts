/**
 * The SQL functions that write. `append` takes a decided append, its rows, and a vector or null for each row. It locks the heads it was
 * decided on, refuses if one has changed, and writes. Each statement inside takes a new snapshot, so a count after a wait for a lock
 * includes the other writer's changes. Plans are cached, so the statements must use the indexes even if they are planned while the tables
 * are empty.
 */
export function appendFunctions(s: string): string {
  return `${anyTaken(s)}
${append(s)}
${putVectors(s)}
${freed(s)}
${turn(s)}`
}

/** A version; its head, if it is the newest of its id; and the recall row, if recall finds it. */
export function appendRow(s: string): string {
  return `
create type ${s}.append_row as (
  id text, concept text, partition text, version integer, owner text, created_by text, created_at bigint, mutation text,
  status text, old_status text, payload text,
  fresh boolean, first_created_at bigint, parent text, ready boolean, running boolean, done boolean, session text,
  wake_at bigint, remaining integer, held boolean,
  active boolean, ages_from bigint, text text, lexemes text, embedder integer, source text, data text, revision bigint,
  unit text, quantized text, scale double precision, error double precision
);`
}

function anyTaken(s: string): string {
  return `
create or replace function ${s}.any_taken(_ids jsonb) returns boolean language plpgsql stable set enable_seqscan = off as $body$
begin
  -- Probed one by one: a plan for all at once, made while the table was small, would scan it.
  return exists (
    select from jsonb_array_elements_text(_ids) as u (id) where (select true from ${s}.heads h where h.id = u.id)
  );
end
$body$;`
}

function append(s: string): string {
  const name = s.replaceAll("'", "''")
  return `
create or replace function ${s}.append(_append jsonb, _rows json, _vectors anyarray) returns bigint[] language plpgsql
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
  set plan_cache_mode = force_generic_plan
as $body$
declare
  _seqs bigint[];
  _row record;
  _version integer;
begin
  if _append ? 'unseen' and ${s}.any_taken(_append -> 'unseen') then
    return null;
  end if;

  if not (_append -> 'full')::boolean then
    perform set_config('synchronous_commit', 'off', true);
  elsif current_setting('synchronous_commit') = 'off' then
    perform set_config('synchronous_commit', 'on', true);
  end if;

  -- The transaction has its number before it takes sequence numbers, so a snapshot tells which gaps may still fill.
  perform pg_current_xact_id();

  if _append ? 'known' then
    for _row in select k.id, k.version, k.written
      from jsonb_to_recordset(_append -> 'known') as k (id text, version integer, written boolean)
      order by k.id collate "C"
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
  if _append ? 'absent' then
    perform pg_advisory_xact_lock_shared(hashtextextended('${name}' || p.id, 0))
      from (select distinct u.id from jsonb_array_elements_text(_append -> 'absent') as u (id) order by 1) p;
    if ${s}.any_taken(_append -> 'absent') then
      raise exception 'a parent appeared in between' using errcode = 'AGM01';
    end if;
  end if;
  if _append ? 'holds' then
    perform pg_advisory_xact_lock(hashtextextended('${name}' || p.parent, 0)) from (
      select distinct u.parent from jsonb_to_recordset(_append -> 'holds') as u (parent text, fresh boolean)
      where u.fresh order by 1
    ) p;
    update ${s}.heads h set held = u.held
    from jsonb_to_recordset(_append -> 'holds') as u (parent text, concept text, held boolean)
    where h.parent = u.parent and h.concept = u.concept;
  end if;

  if _append ? 'flips' then
    perform 1 from ${s}.heads where id in (
      select e.source from jsonb_to_recordset(_append -> 'flips') as u (id text)
      join ${s}.edges e on e.target = u.id and e.depends
    ) order by id for update;
    update ${s}.heads h set remaining = h.remaining + f.delta
    from (
      select e.source, sum(u.delta) as delta
      from jsonb_to_recordset(_append -> 'flips') as u (id text, delta integer)
      join ${s}.edges e on e.target = u.id and e.depends
      group by e.source
    ) f
    where h.id = f.source;
  end if;

  -- Each statement has no more parts than it needs: the most frequent appends are new nodes, and changes of old ones.
  -- A new node that is not new is refused by the keys.
  if _append ? 'new' and _vectors is not null then
    ${writeNew(s, 'typed')}
  elsif _append ? 'new' then
    ${writeNew(s, 'bytes')}
  elsif _append ? 'found' then
    ${writeRows(s, [updateHeads(s), insertHeads(s), findRows(s)])}
    ${putVectorsOf(s, itemOfRow(s))}
  elsif _append ? 'fresh' then
    ${writeRows(s, [updateHeads(s), insertHeads(s)])}
  else
    ${writeRows(s, [updateHeads(s)])}
  end if;

  if _append ? 'cleared' then
    delete from ${s}.edges e using jsonb_to_recordset(_append -> 'cleared') as u (source text, field text)
    where e.source = u.source and e.field = u.field;
  end if;
  if _append ? 'edges' then
    insert into ${s}.edges (source, field, target, depends)
    select u.* from jsonb_to_recordset(_append -> 'edges') as u (source text, field text, target text, depends boolean)
    on conflict do nothing;
  end if;

  if _append ? 'unfound' then
    delete from ${s}.items i using jsonb_array_elements_text(_append -> 'unfound') as u (id)
    where i.id = u.id;
  end if;
  return _seqs;
end
$body$;`
}

/** Writes the log and the heads. Sequence numbers are drawn first, so that no row that was just written has to be joined. */
function writeRows(s: string, parts: readonly string[], rows = givenRows(s, 'bytes'), keys = ''): string {
  return `with r as materialized (
      select nextval('${s}.node_seq') as seq, ${keys}u.* from ${rows}
    ), ${insertNodes(s)}, ${parts.join(', ')}
    select array_agg(seq order by seq) into _seqs from r;`
}

/** All rows are new, so they are inserted directly, including the recall rows. */
function writeNew(s: string, as: VectorForm): string {
  const items = `item as (
      ${insertItems(s, 'r', 'key')}
    )`
  const vectors = `vector as (
      ${insertVectors(s, as, 'r.key', 'r')}
    )`
  return writeRows(s, [insertHeads(s), items, vectors], givenRows(s, as), `nextval('${s}.items_key_seq') as key, `)
}

function insertNodes(s: string): string {
  return `node as (
      insert into ${s}.nodes
        (seq, partition, id, version, concept, owner, created_by, created_at, mutation, status, old_status, payload)
      select seq, partition, id, version, concept, owner, created_by, created_at, mutation, status, old_status,
        payload::json from r
    )`
}

function insertHeads(s: string): string {
  return `added as (
      insert into ${s}.heads
        (id, partition, concept, owner, version, seq, status, created_at, first_created_at, parent, ready, running, done,
         session, wake_at, rank, gate, remaining, held)
      select id, partition, concept, owner, version, seq, status, created_at, coalesce(first_created_at, created_at),
        parent, coalesce(ready, false), coalesce(running, false), coalesce(done, false), session, wake_at,
        rank, gate, coalesce(remaining, 0), coalesce(held, false) from r where fresh
    )`
}

function updateHeads(s: string): string {
  return `changed as (
      update ${s}.heads h set version = r.version, seq = r.seq, status = r.status, created_at = r.created_at,
        parent = r.parent, ready = coalesce(r.ready, false), running = coalesce(r.running, false),
        done = coalesce(r.done, false), session = r.session, wake_at = r.wake_at,
        rank = r.rank, gate = r.gate
      from r where h.id = r.id and not r.fresh
    )`
}

function findRows(s: string): string {
  return `kept as (
      ${upsertItems(s, 'r')}
      returning key, embedder
    ), gone as (
      delete from ${s}.vectors v using kept k where v.key = k.key and k.embedder is null
    )`
}

/** Inserts or updates recall rows. Keys stay, and so do the vectors of texts that did not change. */
export function upsertItems(s: string, rows: string): string {
  return `${insertItems(s, rows)}
      on conflict (owner, id) do update set
        status = excluded.status, active = excluded.active, created_at = excluded.created_at,
        ages_from = excluded.ages_from, text = excluded.text, lexemes = excluded.lexemes, version = excluded.version,
        concept = excluded.concept, partition = excluded.partition,
        embedder = coalesce(excluded.embedder, case when items.text = excluded.text then items.embedder end),
        revision = case when items.text = excluded.text then items.revision else excluded.revision end,
        changed_in = pg_current_xact_id()`
}

function insertItems(s: string, rows: string, key?: 'key'): string {
  const columns = 'id, owner, partition, concept, status, active, created_at, ages_from, text, version, embedder'
  const all = key === undefined ? columns : `${key}, ${columns}`
  return `insert into ${s}.items (${all}, lexemes)
      select ${all}, lexemes::tsvector from ${rows} where active is not null`
}

/** The form of stored vectors: in the vector column if the server has the type, otherwise (or with too many dimensions) as bytes. */
type VectorForm = 'typed' | 'bytes'

function givenRows(s: string, as: VectorForm): string {
  const rows = `json_populate_recordset(null::${s}.append_row, _rows)`
  return as === 'typed' ? `rows from (${rows}, unnest(_vectors)) u` : `${rows} u`
}

function insertVectors(s: string, as: VectorForm, key: string, rows: string): string {
  const bytes = `decode(unit, 'base64'), decode(quantized, 'base64'), scale, error`
  const [column, vector, where] =
    as === 'typed' ? ['vec, ', 'unnest, ', 'unit is not null or unnest is not null'] : ['', '', 'unit is not null']
  return `insert into ${s}.vectors (key, embedder, ${column}unit, quantized, scale, error)
      select ${key}, embedder, ${vector}${bytes} from ${rows} where ${where}`
}

/**
 * Finds the first row in index order and then compares it, so that each lookup uses the right index. A plan made while the table was empty
 * would use any index that starts with the owner.
 */
function itemOfRow(s: string): string {
  return `cross join lateral (
        select i.* from ${s}.items i where (i.owner, i.id) >= (u.owner, u.id) order by i.owner, i.id limit 1
      ) i where i.owner = u.owner and i.id = u.id`
}

/** Stores vectors of existing items. `items` joins the item of a row. */
function putVectorsOf(s: string, items: string): string {
  const put = (as: VectorForm, columns: readonly string[]) => `
      ${insertVectors(s, as, 'i.key', `(select u.*, i.key from ${givenRows(s, as)} ${items}) i`)}
      on conflict (key) do update set
        ${['embedder', 'waits', ...columns].map((column) => `${column} = excluded.${column}`).join(', ')};`
  const bytes = ['unit', 'quantized', 'scale', 'error']
  return `if _vectors is not null then ${put('typed', ['vec', ...bytes])}
    else ${put('bytes', bytes)}
    end if;`
}

/** Stores vectors of existing items: by owner, or if the text is still the one that was embedded. */
function putVectors(s: string): string {
  const whose = 'i.id = u.id and (i.revision = u.revision or (u.revision is null and i.owner = u.owner))'
  return `
create or replace function ${s}.put_vectors(_rows json, _vectors anyarray) returns integer language plpgsql as $body$
declare
  _count integer;
begin
  update ${s}.items i set embedder = u.embedder, changed_in = pg_current_xact_id()
  from ${givenRows(s, 'bytes')} where ${whose};
  get diagnostics _count = row_count;
  ${putVectorsOf(s, `join ${s}.items i on ${whose}`)}
  return _count;
end
$body$;`
}

/**
 * The nodes that an append unblocked. The query runs after it, while the changed counters are still locked. So if several appends finish
 * the last dependencies at the same time, exactly one sees the node unblocked.
 */
function freed(s: string): string {
  return `
create or replace function ${s}.known_heads(_ids text[]) returns json language plpgsql stable
  set plan_cache_mode = force_generic_plan set enable_seqscan = off
as $body$
begin
  return (
    select json_agg(row_to_json(r) order by r.place) from (
      select u.place, d.first_created_at, d.parent, d.remaining, d.held, d.session, d.wake_at, n.id, n.concept, n.version,
        n.seq, n.owner, n.partition, n.created_by, n.created_at, n.mutation, n.status, n.old_status,
        n.payload::text as payload, n.redacted
      from unnest(_ids) with ordinality u (id, place)
      cross join lateral (select * from ${s}.heads h where h.id = u.id offset 0) d
      cross join lateral (
        select * from ${s}.nodes v where v.partition = d.partition and v.id = d.id and v.version = d.version offset 0
      ) n
    ) r
  );
end
$body$;

create or replace function ${s}.freed(_freed json) returns json language plpgsql
  set plan_cache_mode = force_generic_plan set enable_seqscan = off
as $body$
begin
  return ${s}.known_heads(array(
    select d.id from (
      select distinct e.source from json_array_elements_text(_freed -> 'ended') u (id)
      join ${s}.edges e on e.target = u.id and e.field = _freed ->> 'field'
    ) e
    cross join lateral (select * from ${s}.heads h where h.id = e.source offset 0) d
    where d.remaining = 0 and d.concept = _freed ->> 'concept' and d.status = _freed ->> 'status'
      and d.owner = _freed ->> 'owner'
    order by d.seq
  ));
end
$body$;`
}

/** An append, then the nodes it unblocked, then claims. Each sees the result of the one before. */
function turn(s: string): string {
  return `
create or replace function ${s}.turn(_append jsonb, _rows json, _vectors anyarray, _then json) returns json language plpgsql as $body$
declare
  _written bigint[] := ${s}.append(_append, _rows, _vectors);
  _freed json;
  _taken json;
begin
  if _written is not null and (_then -> 'freed') is not null then
    _freed := ${s}.freed(_then -> 'freed');
  end if;
  if (_then -> 'take') is not null then
    _taken := ${s}.take(_then -> 'take');
  end if;
  return json_build_object('written', _written, 'freed', _freed, 'taken', _taken);
end
$body$;`
}
