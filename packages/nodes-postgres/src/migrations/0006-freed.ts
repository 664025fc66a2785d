/**
 * What waits for nothing more after an append. Called by the statement that appends, behind it, while the counters it has
 * changed are still locked: of appends that end the last dependencies at once, exactly one finds nothing left to wait for.
 */
export function freed(s: string): string {
  return `
create function ${s}.freed(
  _after bigint[], _ended text[], _owner text, _concept text, _field text, _status text
) returns table (
  first_created_at bigint, id text, concept text, version integer, seq bigint, owner text, partition text,
  created_by text, created_at bigint, mutation text, status text, old_status text, payload json, redacted boolean
) language plpgsql
  set plan_cache_mode = force_generic_plan set enable_seqscan = off
as $body$
#variable_conflict use_column
begin
  return query
  select d.first_created_at, n.id, n.concept, n.version, n.seq, n.owner, n.partition, n.created_by, n.created_at,
    n.mutation, n.status, n.old_status, n.payload, n.redacted
  from (select distinct e.source from ${s}.edges e where e.target = any (_ended) and e.field = _field) e
  cross join lateral (select * from ${s}.heads h where h.id = e.source offset 0) d
  cross join lateral (
    select * from ${s}.nodes v where v.partition = d.partition and v.id = d.id and v.version = d.version offset 0
  ) n
  where d.remaining = 0 and d.concept = _concept and d.status = _status and d.owner = _owner and not n.redacted
  order by n.seq;
end
$body$;`
}
