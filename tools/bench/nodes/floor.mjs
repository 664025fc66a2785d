// @ts-check
/**
 * The floor: what a careful person writes by hand for the same shape, a node, its head, its vector and its text, with
 * prepared statements and one transaction per call. No validation, no guard, no merge, no owner, no feed.
 */
import { DatabaseSync } from './sqlite.mjs'

/** @param {string} path */
export function openFloor(path) {
  const database = new DatabaseSync(path)
  database.exec('pragma busy_timeout = 5000; pragma journal_mode = wal; pragma synchronous = full')
  database.exec(`
    create table nodes (seq integer primary key, id text not null, version integer not null, concept text not null,
      owner text not null, created_at real not null, payload text not null, unique (id, version));
    create table heads (id text primary key, seq integer not null, version integer not null, concept text not null,
      owner text not null, status text, created_at real not null) without rowid;
    create index heads_concept on heads (owner, concept, seq);
    create table vectors (seq integer primary key, unit blob not null);
    create virtual table words using fts5 (text, content = '', contentless_delete = 1, tokenize = 'porter unicode61');
    create table bare (seq integer primary key, payload text not null);
  `)
  const node = database.prepare(
    'insert into nodes (id, version, concept, owner, created_at, payload) values (?, ?, ?, ?, ?, ?)',
  )
  const head = database.prepare(
    `insert into heads (id, seq, version, concept, owner, status, created_at) values (?, ?, ?, ?, ?, ?, ?)
      on conflict (id) do update set seq = excluded.seq, version = excluded.version, status = excluded.status`,
  )
  const vector = database.prepare('insert into vectors (seq, unit) values (?, ?)')
  const words = database.prepare('insert into words (rowid, text) values (?, ?)')
  const bare = database.prepare('insert into bare (payload) values (?)')
  const latest = database.prepare('select n.* from heads h join nodes n on n.seq = h.seq where h.id = ?')
  const newest = database.prepare(
    'select n.* from heads h join nodes n on n.seq = h.seq where h.owner = ? and h.concept = ? order by h.seq desc limit 50',
  )
  const ready = database.prepare("select id, version from heads where status = 'ready' order by seq limit 1")
  /** Prepared when first asked: without sqlite-vec the rest of the floor stands all the same. @param {string} from */
  const ranked = (from) =>
    database.prepare(
      `select n.id, n.payload, 0.7 * (1 - vec_distance_cosine(v.unit, ?)) + 0.3 * pow(2, -max(0, ? - n.created_at) / 1000.0 / ?) as score
        from ${from} join nodes n on n.seq = v.seq where n.owner = ? order by score desc limit 10`,
    )
  /** @type {ReturnType<typeof ranked> | undefined} */
  let exact
  /** @type {ReturnType<typeof ranked> | undefined} */
  let newestExact
  /** @param {{ id: string, concept: string, content: string, unit: Uint8Array, at: number }} item */
  const insert = ({ id, concept, content, unit, at }) => {
    const seq = Number(node.run(id, 1, concept, 'ada', at, JSON.stringify({ content })).lastInsertRowid)
    head.run(id, seq, 1, concept, 'ada', null, at)
    vector.run(seq, unit)
    words.run(seq, content)
  }
  return {
    database,
    /** @param {readonly Parameters<typeof insert>[0][]} items */
    append(items) {
      database.exec('begin immediate')
      for (const item of items) insert(item)
      database.exec('commit')
    },
    /** @param {readonly string[]} payloads */
    bare(payloads) {
      database.exec('begin immediate')
      for (const payload of payloads) bare.run(payload)
      database.exec('commit')
    },
    /** @param {string} id */
    addReady(id) {
      const seq = Number(node.run(id, 1, 'step', 'ada', 0, '{"status":"ready"}').lastInsertRowid)
      head.run(id, seq, 1, 'step', 'ada', 'ready', 0)
    },
    claim() {
      database.exec('begin immediate')
      const row = /** @type {{ id: string, version: number }} */ (ready.get())
      const seq = Number(
        node.run(row.id, row.version + 1, 'step', 'ada', Date.now(), '{"status":"running"}').lastInsertRowid,
      )
      head.run(row.id, seq, row.version + 1, 'step', 'ada', 'running', 0)
      database.exec('commit')
    },
    /** @param {string} id */
    latest(id) {
      return JSON.parse(String(latest.get(id)?.['payload']))
    },
    /** @param {string} concept */
    newest(concept) {
      return newest.all('ada', concept).map((row) => JSON.parse(String(row['payload'])))
    },
    /** sqlite-vec in one statement: cosine and recency over every row. @param {Float32Array} query @param {number} at @param {number} halfLife */
    recall(query, at, halfLife) {
      exact ??= ranked('vectors v')
      return exact.all(new Uint8Array(query.buffer), at, halfLife, 'ada')
    },
    /** The same among newest versions only, as ours. @param {Float32Array} query @param {number} at @param {number} halfLife */
    recallNewest(query, at, halfLife) {
      newestExact ??= ranked('heads h join vectors v on v.seq = h.seq')
      return newestExact.all(new Uint8Array(query.buffer), at, halfLife, 'ada')
    },
    close() {
      database.close()
    },
  }
}
