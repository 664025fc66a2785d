// @ts-check
/** The same texts in what one would use instead; each answers the ten best. */
import { createRequire } from 'node:module'
import path from 'node:path'
import { root } from '../../run.mjs'
import { peer } from '../frame.mjs'

/** @typedef {{ readonly id: string, readonly title: string, readonly text: string }} Entry */
/** @typedef {{ readonly answers: (question: string) => readonly string[], readonly close: () => void }} Opened */

/**
 * SQLite's full-text index as its documentation shows it, in a file.
 * @param {readonly Entry[]} entries @param {string} file @returns {Opened}
 */
export function openFts5(entries, file) {
  const { DatabaseSync } = createRequire(path.join(root, 'packages/nodes-sqlite/package.json'))(
    '@photostructure/sqlite',
  )
  const db = new DatabaseSync(file)
  db.exec("create virtual table notes using fts5(id unindexed, title, text, tokenize = 'porter unicode61')")
  const insert = db.prepare('insert into notes (id, title, text) values (?, ?, ?)')
  db.exec('begin')
  for (const { id, title, text } of entries) insert.run(id, title, text)
  db.exec('commit')
  const select = db.prepare('select id, title, text from notes where notes match ? order by bm25(notes) limit 10')
  return {
    answers: (question) => {
      const words = question.match(/[\p{L}\p{N}]+/gu) ?? []
      const rows = /** @type {Entry[]} */ (select.all(words.map((word) => `"${word}"`).join(' OR ')))
      return rows.map(({ id }) => id)
    },
    close: () => db.close(),
  }
}

/** With its defaults, in memory. @param {readonly Entry[]} entries @returns {Promise<Opened>} */
export async function openMiniSearch(entries) {
  const { default: MiniSearch } = await peer('minisearch')
  const index = new MiniSearch({ fields: ['title', 'text'] })
  index.addAll(entries)
  return {
    answers: (question) => {
      const hits = /** @type {{ id: string }[]} */ (index.search(question))
      return hits.slice(0, 10).map(({ id }) => id)
    },
    close: () => {},
  }
}
