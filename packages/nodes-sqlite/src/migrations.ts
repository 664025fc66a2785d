/**
 * The schema of the file, as steps that only go forward. A released step is never edited; a new step changes its result. `user_version`
 * counts the steps that were applied to a file.
 */
export const applicationId = 0x61676e74

export const migrations: readonly string[] = [
  `
  create table nodes (
    seq integer primary key,
    id text not null,
    version integer not null,
    concept text not null,
    owner text not null,
    partition text not null,
    created_by text not null,
    created_at real not null,
    mutation text not null,
    status text,
    old_status text,
    redacted integer not null,
    payload text not null
  ) strict;
  create unique index nodes_version on nodes (id, version);

  create table heads (
    id text primary key,
    seq integer not null,
    version integer not null,
    concept text not null,
    owner text not null,
    partition text not null,
    status text,
    first_created_at real not null,
    redacted integer not null,
    parent text,
    remaining integer not null,
    held integer not null,
    ready integer not null,
    running integer not null,
    session text,
    wake_at real,
    recall integer
  ) strict, without rowid;
  create index heads_concept on heads (owner, concept, seq);
  create index heads_status on heads (owner, concept, status, seq) where status is not null;
  create index heads_parent on heads (parent, concept, status, seq) where parent is not null;
  create index heads_ready on heads (owner, partition, seq) where ready = 1 and held = 0;
  create index heads_running on heads (partition) where running = 1;
  create index heads_session on heads (session) where running = 1;
  create index heads_wake on heads (wake_at) where wake_at is not null;

  create table edges (
    target text not null,
    field text not null,
    source text not null,
    primary key (target, field, source)
  ) strict, without rowid;
  create index edges_source on edges (source, field);

  create table sessions (
    id text primary key,
    actor text not null,
    facts text not null,
    started_at real not null,
    lease_until real not null,
    held integer not null
  ) strict, without rowid;
  create table fairness (
    partition text primary key,
    virtual_time real not null,
    weight real not null
  ) strict, without rowid;

  create table recall (
    key integer primary key,
    id text not null,
    seq integer,
    concept text not null,
    owner text not null,
    partition text not null,
    source text not null,
    status text,
    active integer not null,
    created_at real not null,
    ages_from real not null,
    text text,
    data text,
    embedder integer,
    unit blob
  ) strict;
  create index recall_newest on recall (owner, ages_from);
  create index recall_pending on recall (key) where embedder is null;
  create unique index recall_put on recall (owner, id) where seq is null;
  create index recall_source on recall (owner, source) where seq is null;
  create virtual table words using fts5 (
    text, content = '', contentless_delete = 1, tokenize = "porter unicode61 remove_diacritics 2"
  );
  create table embedders (
    number integer primary key,
    name text not null unique,
    dimensions integer not null
  ) strict;
  create table stirred (change integer primary key, key integer not null) strict;
  create table segments (
    number integer primary key,
    embedder integer not null,
    upto integer not null,
    rows integer not null,
    data blob not null
  ) strict;
  create index segments_embedder on segments (embedder, number);
  create table counters (name text primary key, value integer not null) strict, without rowid;
  insert into counters values ('epoch', 0);
  `,
  // A head has a key: the sequence number of its first version. Rows that are written together are stored together, indexes contain a few
  // bytes instead of an id, and a change of one node leaves the pages of its neighbours unchanged.
  `
  create table numbered_nodes (
    seq integer primary key,
    head integer not null,
    id text not null,
    version integer not null,
    concept text not null,
    owner text not null,
    partition text not null,
    created_by text not null,
    created_at real not null,
    mutation text not null,
    status text,
    old_status text,
    redacted integer not null,
    payload text not null
  ) strict;
  insert into numbered_nodes
    select seq, coalesce((select f.seq from nodes f where f.id = n.id and f.version = 1),
        (select min(f.seq) from nodes f where f.id = n.id)),
      id, version, concept, owner, partition, created_by, created_at, mutation, status, old_status, redacted, payload
      from nodes n order by seq;

  create table numbered_heads (
    key integer primary key,
    id text not null unique,
    seq integer not null,
    version integer not null,
    concept text not null,
    owner text not null,
    partition text not null,
    status text,
    first_created_at real not null,
    redacted integer not null,
    parent text,
    remaining integer not null,
    held integer not null,
    ready integer not null,
    running integer not null,
    session text,
    wake_at real,
    recall integer
  ) strict;
  insert into numbered_heads
    select n.head, h.id, h.seq, h.version, h.concept, h.owner, h.partition, h.status, h.first_created_at, h.redacted, h.parent,
      h.remaining, h.held, h.ready, h.running, h.session, h.wake_at, h.recall
      from heads h join numbered_nodes n on n.seq = h.seq order by n.head;

  drop table nodes;
  drop table heads;
  alter table numbered_nodes rename to nodes;
  alter table numbered_heads rename to heads;
  create unique index nodes_version on nodes (head, version);
  create index heads_concept on heads (owner, concept, seq);
  create index heads_status on heads (owner, concept, ready, status, seq) where status is not null;
  create index heads_parent on heads (parent, concept, ready, status, seq) where parent is not null;
  create index heads_ready on heads (owner, partition, seq) where ready = 1 and held = 0;
  create index heads_running on heads (partition, session) where running = 1;
  create index heads_wake on heads (wake_at) where wake_at is not null;
  `,
  // The indexed items of one concept in one blob.
  `
  create table entry_packs (
    owner text not null,
    concept text not null,
    upto integer not null,
    data blob not null,
    primary key (owner, concept)
  ) strict;
  `,
  // From here on, the recall row of a node may be older than its head. Older segments do not say which rows belong to nodes, so they are
  // deleted.
  'delete from segments',
  // All partitions have equal weight.
  'alter table fairness drop column weight',
  // Recall ranks nodes only. Notes, which had rows of their own, are in the index beside the log. Numbers continue, because an earlier key
  // must not be used for another text. Segments may contain vectors of notes.
  `
  delete from words where rowid in (select key from recall where seq is null);
  insert into words (words) select 'optimize' where exists (select 1 from recall where seq is null);
  insert into stirred (change, key)
    select max(coalesce((select max(key) from recall), 0), coalesce((select max(change) from stirred), 0)) + 1, 0
      where exists (select 1 from recall where seq is null);
  create table ranked (
    key integer primary key,
    id text not null,
    seq integer not null,
    concept text not null,
    owner text not null,
    partition text not null,
    status text,
    active integer not null,
    created_at real not null,
    ages_from real not null,
    embedder integer,
    unit blob
  ) strict;
  insert into ranked
    select key, id, seq, concept, owner, partition, status, active, created_at, ages_from, embedder, unit
      from recall where seq is not null order by key;
  drop table recall;
  alter table ranked rename to recall;
  create index recall_newest on recall (owner, ages_from);
  create index recall_pending on recall (key) where embedder is null;
  drop table entry_packs;
  delete from segments;
  `,
  // Flow control: the rank and the limits of nodes that have any, and the starts that rate limits count. Both columns are null for all other
  // nodes, and the index that most claims use has only those.
  `
  alter table heads add column rank real;
  alter table heads add column gate text;
  drop index heads_ready;
  create index heads_ready on heads (owner, partition, seq) where ready = 1 and held = 0 and gate is null;
  create index heads_flow on heads (owner, partition, gate, rank, seq) where ready = 1 and held = 0 and gate is not null;
  create index heads_flow_parent on heads (parent, gate, rank, seq) where ready = 1 and held = 0 and gate is not null;
  create index heads_limited on heads (owner, gate) where running = 1 and gate is not null;
  create table starts (
    owner text not null,
    key text not null,
    at real not null
  ) strict;
  create index starts_key on starts (owner, key, at);
  `,
  // The timers of each owner in order.
  `
  drop index heads_wake;
  create index heads_wake on heads (owner, wake_at, seq) where wake_at is not null;
  `,
]
