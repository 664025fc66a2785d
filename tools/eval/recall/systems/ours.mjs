// @ts-check
/**
 * Our ranking: candidates from an FTS5 table over our own terms, and from a vector scan, re-ranked by the pure pipeline.
 * Nothing about a note is kept between questions but what a store would keep: its terms, its text and its vectors.
 */
import { loadPeer } from '../peer.mjs'
import { openStaticEmbedder } from '../../../../packages/embedder-static/dist/index.js'
import { analyzeNote, passagesOf, rerank, termsOf, windowsOf } from '../../../../packages/memory/dist/index.js'

const byWords = 100
const byMeaning = 30

/** @typedef {import('../read-set.mjs').Note} Note */
/** @typedef {{ readonly of: (text: string) => Promise<Float64Array> }} Similarities */

/** @param {string} id @param {{ embedder: 'default' | 'none' }} options @returns {import('../../recall.mjs').System} */
export function ours(id, { embedder }) {
  return {
    id,
    open: async ({ corpus }) => {
      const words = await openWords(corpus)
      const similarities = embedder === 'none' ? undefined : await openSimilarities(corpus)
      const now = Math.max(0, ...corpus.map((note) => timeOf(note) ?? 0))
      const rank = async (/** @type {string} */ text) => {
        const similar = await similarities?.of(text)
        const found = new Set([...words.find(text), ...nearest(similar)])
        const candidates = Array.from(found).flatMap((i) => candidate(corpus[i], similar?.[i]))
        return rerank({ text, now }, candidates, words.statistics).map((result) => result.candidate.id)
      }
      return { rank, close: words.close }
    },
  }
}

/** @param {Note | undefined} note @param {number | undefined} similarity */
function candidate(note, similarity) {
  if (note === undefined) return []
  const at = timeOf(note)
  return [
    {
      id: note.id,
      note: analyzeNote(note),
      ...(at === undefined ? {} : { at }),
      ...(similarity === undefined ? {} : { similarity }),
    },
  ]
}

/** @param {Note} note */
function timeOf(note) {
  return note.at === undefined ? undefined : Date.parse(note.at)
}

/** @param {readonly Note[]} corpus */
async function openWords(corpus) {
  const { DatabaseSync } = await loadPeer('@photostructure/sqlite')
  const db = new DatabaseSync(':memory:')
  db.exec(
    `create virtual table words using fts5(terms, content = '', tokenize = "unicode61 remove_diacritics 0 categories 'L* N* M*'")`,
  )
  db.exec(`create virtual table vocabulary using fts5vocab(words, 'row')`)
  const insert = db.prepare('insert into words (rowid, terms) values (?, ?)')
  let terms = 0
  for (const [i, note] of corpus.entries()) {
    const stems = termsOf(`${note.title}\n${note.text}`).map(({ stem }) => stem)
    insert.run(i, stems.join(' '))
    terms += stems.length
  }
  const select = db.prepare(`select rowid from words where words match ? order by bm25(words), rowid limit ${byWords}`)
  const frequency = db.prepare('select doc from vocabulary where term = ?')

  return {
    // A statement does not keep its database alive, so the closure does.
    close: () => db.close(),
    /** @param {string} text @returns {number[]} */
    find(text) {
      const stems = [...new Set(termsOf(text).map(({ stem }) => stem))]
      if (stems.length === 0) return []
      const rows = /** @type {{ rowid: number }[]} */ (select.all(stems.map((stem) => `"${stem}"`).join(' OR ')))
      return rows.map(({ rowid }) => rowid)
    },
    statistics: {
      documents: corpus.length,
      averageLength: terms / corpus.length,
      /** @param {string} stem */
      documentFrequency: (stem) => Number(frequency.get(stem)?.doc ?? 0),
    },
  }
}

/** The best window of each note against a question. @param {readonly Note[]} corpus @returns {Promise<Similarities>} */
async function openSimilarities(corpus) {
  const embedder = await openStaticEmbedder()
  const windows = corpus.flatMap((note, owner) =>
    windowsOf(passagesOf(note.text), { size: 3, step: 2 }).map(({ start, end }) => ({
      owner,
      text: `${note.title}\n${note.text.slice(start, end)}`,
    })),
  )
  const vectors = await embedder.embed(windows.map(({ text }) => text))
  return {
    of: async (text) => {
      const [asked = new Float32Array()] = await embedder.embed([text])
      const best = new Float64Array(corpus.length).fill(-1)
      for (const [i, vector] of vectors.entries()) {
        const owner = windows[i]?.owner ?? 0
        best[owner] = Math.max(best[owner] ?? -1, dot(asked, vector))
      }
      return best
    },
  }
}

/** @param {Float64Array | undefined} similar @returns {number[]} */
function nearest(similar) {
  if (similar === undefined) return []
  return Array.from(similar.keys())
    .toSorted((a, b) => (similar[b] ?? 0) - (similar[a] ?? 0))
    .slice(0, byMeaning)
}

/** @param {Float32Array} a @param {Float32Array} b */
function dot(a, b) {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0)
  return sum
}
