/**
 * Version 1: the log, its heads, what workers need, and what recall finds. The log is keyed by partition first, so that it
 * can be distributed by it; heads change often and are vacuumed early.
 */
import { appendFunction } from './append-function.ts'
import { claimableFunction } from './claimable-function.ts'

export function firstMigration(s: string): string {
  return [log(s), work(s), recall(s), appendFunction(s), claimableFunction(s)].join('\n')
}

function log(s: string): string {
  return `
create sequence ${s}.node_seq;

create table ${s}.nodes (
  partition text collate "C" not null,
  id text collate "C" not null,
  version integer not null,
  seq bigint not null default nextval('${s}.node_seq'),
  concept text collate "C" not null,
  owner text collate "C" not null,
  created_by text not null,
  created_at bigint not null,
  mutation text not null,
  status text,
  old_status text,
  payload json not null,
  redacted boolean not null default false,
  primary key (partition, id, version)
);
alter sequence ${s}.node_seq owned by ${s}.nodes.seq;
create index nodes_seq on ${s}.nodes (seq);

create table ${s}.heads (
  id text collate "C" primary key,
  partition text collate "C" not null,
  concept text collate "C" not null,
  owner text collate "C" not null,
  version integer not null,
  seq bigint not null,
  status text,
  created_at bigint not null,
  first_created_at bigint not null,
  parent text collate "C",
  ready boolean not null,
  running boolean not null,
  done boolean not null,
  session text,
  wake_at bigint,
  remaining integer not null,
  held boolean not null
) with (
  fillfactor = 80,
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_threshold = 500,
  autovacuum_analyze_scale_factor = 0.05,
  autovacuum_vacuum_cost_delay = 0
);
create index heads_concept on ${s}.heads (owner, concept, seq);
create index heads_partition on ${s}.heads (owner, partition, seq);
create index heads_parent on ${s}.heads (parent, concept, status) where parent is not null;
create index heads_ready on ${s}.heads (owner, concept, partition, seq) where ready and not held;
create index heads_running on ${s}.heads (partition, owner) where running;
create index heads_session on ${s}.heads (session) where session is not null;
create index heads_wake on ${s}.heads (owner, wake_at) where wake_at is not null;

create table ${s}.edges (
  target text collate "C" not null,
  field text collate "C" not null,
  source text collate "C" not null,
  depends boolean not null,
  primary key (target, field, source)
);
create index edges_source on ${s}.edges (source, field);`
}

function work(s: string): string {
  return `
create table ${s}.sessions (
  id text primary key,
  actor text not null,
  started_at bigint not null,
  lease_until bigint not null,
  facts json not null,
  hold_key bigint,
  hold_at timestamptz
) with (fillfactor = 50, autovacuum_vacuum_threshold = 200, autovacuum_vacuum_scale_factor = 0);

create table ${s}.shares (
  partition text collate "C" primary key,
  virtual_time double precision not null default 0,
  weight double precision not null default 1,
  last_start double precision not null default 0
) with (fillfactor = 50, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_scale_factor = 0);
create index shares_last_start on ${s}.shares (last_start);`
}

function recall(s: string): string {
  return `
create sequence ${s}.revision_seq;

create table ${s}.embedders (
  id integer generated always as identity primary key,
  name text not null unique,
  dimensions integer not null
);

create table ${s}.items (
  key bigint generated always as identity primary key,
  id text collate "C" not null,
  owner text collate "C" not null,
  partition text collate "C" not null,
  concept text collate "C" not null,
  source text not null,
  status text,
  active boolean not null,
  created_at bigint not null,
  ages_from bigint not null,
  text text not null,
  lexemes tsvector not null,
  data json,
  version integer,
  embedder integer references ${s}.embedders,
  revision bigint not null default nextval('${s}.revision_seq'),
  changed_in xid8 not null default pg_current_xact_id(),
  unique (owner, id)
) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);
create index items_lexemes on ${s}.items using gin (lexemes);
create index items_newest on ${s}.items (owner, ages_from);
create index items_embedder on ${s}.items (embedder, revision);
create index items_source on ${s}.items (owner, source);
create index items_changed on ${s}.items (changed_in);

create table ${s}.vectors (
  key bigint primary key references ${s}.items on delete cascade,
  embedder integer not null references ${s}.embedders,
  unit bytea,
  quantized bytea,
  scale double precision,
  error double precision
);
alter table ${s}.vectors alter column quantized set storage plain;
alter table ${s}.vectors alter column unit set storage external;`
}
