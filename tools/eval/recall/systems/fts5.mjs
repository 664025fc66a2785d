// @ts-check
/** SQLite's full-text search as its documentation shows it: Porter stems, any word, `bm25()`. */
import { loadPeer } from '../peer.mjs'

/** @type {import('../../recall.mjs').System} */
export const fts5 = {
  id: 'fts5',
  open: async ({ corpus }) => {
    const { DatabaseSync } = await loadPeer('@photostructure/sqlite')
    const db = new DatabaseSync(':memory:')
    db.exec(
      `create virtual table notes using fts5(id unindexed, title, text, tokenize = 'porter unicode61 remove_diacritics 2')`,
    )
    const insert = db.prepare('insert into notes (id, title, text) values (?, ?, ?)')
    for (const note of corpus) insert.run(note.id, note.file?.path ?? note.title, note.file?.text ?? note.text)
    const select = db.prepare('select id from notes where notes match ? order by bm25(notes) limit 100')
    const rank = (/** @type {string} */ question) => {
      const words = question.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
      if (words.length === 0) return []
      const rows = /** @type {{ id: string }[]} */ (select.all(words.map((word) => `"${word}"`).join(' OR ')))
      return rows.map(({ id }) => id)
    }
    return { rank, close: () => db.close() }
  },
}
