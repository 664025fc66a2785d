// @ts-check
/**
 * The floor: what a careful person writes by hand for the same data. A node, its head, its vector and its text are written in one
 * prepared statement with `unnest`. It has no validation, guard, merge, owner or feed.
 */
import pg from 'pg'
import { dimensions } from '../nodes/data.mjs'
import { closedAtEnd, ownServer } from './own-store.mjs'

/** @param {string} schema */
export async function openFloor(schema) {
  const server = await ownServer()
  // Without pgvector, the numbers are stored as an array, so that appends, claims and reads still have a floor.
  const [type, extension] = server.hasVectors
    ? [`vector(${dimensions})`, 'create extension if not exists vector;']
    : ['real[]', '']
  const client = new pg.Client({ connectionString: server.url })
  await client.connect()
  // Closed first, because a client that is open when its server stops would end this process.
  closedAtEnd({ close: async () => client.end() })
  await client.query(`${extension} create schema ${schema}; set search_path = ${schema}, public;
    create table nodes (seq bigserial primary key, id text not null, version integer not null, concept text not null,
      owner text not null, created_at bigint not null, status text, payload json not null, unique (id, version));
    create table heads (id text primary key, seq bigint not null, version integer not null, concept text not null,
      owner text not null, status text, created_at bigint not null);
    create index heads_concept on heads (owner, concept, seq);
    create index heads_ready on heads (seq) where status = 'ready';
    create table vectors (seq bigint primary key, vec ${type} not null);
    alter table vectors alter column vec set storage plain;
    create table words (seq bigint primary key, lexemes tsvector not null);
    create index words_lexemes on words using gin (lexemes);
    create table bare (seq bigserial primary key, payload json not null)`)
  /** @param {string} name @param {string} text @param {readonly unknown[]} values */
  const run = async (name, text, values) => (await client.query({ name, text, values: [...values] })).rows
  return {
    /** @param {readonly import('../nodes/items.mjs').Item[]} items @param {number} at */
    async append(items, at) {
      await run(
        'append',
        `with n as (
            insert into nodes (id, version, concept, owner, created_at, payload)
            select id, 1, 'c', 'ada', $3, payload::json from unnest($1::text[], $2::text[]) as u (id, payload)
            returning seq, id
          ), u as (
            select n.seq, u.* from n join unnest($1::text[], $4::text[], $5::text[]) as u (id, content, vec) on u.id = n.id
          ), h as (
            insert into heads (id, seq, version, concept, owner, created_at) select id, seq, 1, 'c', 'ada', $3 from u
          ), v as (
            insert into vectors (seq, vec) select seq, vec::${server.hasVectors ? 'vector' : 'real[]'} from u
          )
          insert into words (seq, lexemes) select seq, to_tsvector('simple', content) from u`,
        [
          items.map(({ id }) => id),
          items.map(({ content }) => JSON.stringify({ content })),
          at,
          items.map(({ content }) => content),
          items.map(({ vector }) => (server.hasVectors ? textOf(vector) : `{${vector.join(',')}}`)),
        ],
      )
    },
    /** @param {readonly string[]} payloads */
    async bare(payloads) {
      await run('bare', 'insert into bare (payload) select p::json from unnest($1::text[]) p', [payloads])
    },
    /** @param {readonly string[]} ids */
    async addReady(ids) {
      await client.query(
        `with n as (
            insert into nodes (id, version, concept, owner, created_at, status, payload)
            select id, 1, 's', 'ada', 0, 'ready', '{}' from unnest($1::text[]) id returning seq, id
          )
          insert into heads (id, seq, version, concept, owner, status, created_at)
          select id, seq, 1, 's', 'ada', 'ready', 0 from n`,
        [ids],
      )
      await client.query(`set synchronous_commit = off`)
    },
    async claim() {
      await run(
        'claim',
        `with r as (
            select id, version from heads where status = 'ready' order by seq limit 1 for update skip locked
          ), n as (
            insert into nodes (id, version, concept, owner, created_at, status, payload)
            select id, version + 1, 's', 'ada', 0, 'running', '{"status":"running"}' from r returning id, seq, version
          )
          update heads h set seq = n.seq, version = n.version, status = 'running' from n where h.id = n.id returning h.id`,
        [],
      )
    },
    /** @param {string} id */
    async latest(id) {
      return run('latest', 'select n.* from heads h join nodes n on n.seq = h.seq where h.id = $1', [id])
    },
    async newest() {
      return run(
        'newest',
        `select n.* from heads h join nodes n on n.seq = h.seq where h.owner = 'ada' and h.concept = 'c' order by h.seq desc limit 50`,
        [],
      )
    },
    /** pgvector, exact, in one statement: cosine and recency over every row. @param {Float32Array} query @param {number} at @param {number} halfLife */
    async recall(query, at, halfLife) {
      return run(
        'recall',
        `select n.id, n.payload, 0.7 * (1 - (v.vec <=> $1::vector)) + 0.3 * power(2, greatest(-1000, -greatest(0, $2::float8 - n.created_at) / 1000 / $3::float8)) as score
          from vectors v join nodes n on n.seq = v.seq where n.owner = 'ada' order by score desc limit 10`,
        [textOf(query), at, halfLife],
      )
    },
    /** The same among newest versions only, as ours. @param {Float32Array} query @param {number} at @param {number} halfLife */
    async recallNewest(query, at, halfLife) {
      return run(
        'recall newest',
        `select n.id, n.payload, 0.7 * (1 - (v.vec <=> $1::vector)) + 0.3 * power(2, greatest(-1000, -greatest(0, $2::float8 - n.created_at) / 1000 / $3::float8)) as score
          from heads h join vectors v on v.seq = h.seq join nodes n on n.seq = h.seq where h.owner = 'ada' order by score desc limit 10`,
        [textOf(query), at, halfLife],
      )
    },
    async analyze() {
      await client.query('analyze')
    },
    async close() {
      await client.end()
    },
  }
}

/** As pgvector reads vectors. @param {Float32Array} vector */
function textOf(vector) {
  return `[${vector.join(',')}]`
}
