// @ts-check
/** A labelled set from a folder; refuses what would make a figure mean nothing. */
import { readFileSync } from 'node:fs'
import path from 'node:path'

/** @typedef {{ readonly id: string, readonly title: string, readonly text: string, readonly at?: string }} Note */
/** @typedef {{ readonly id: string, readonly text: string, readonly gold: readonly string[], readonly kind: string }} Query */
/** @typedef {{ readonly name: string, readonly corpus: readonly Note[], readonly queries: readonly Query[] }} LabelledSet */

/** @param {string} folder @returns {LabelledSet} */
export function readSet(folder) {
  /** @type {Note[]} */
  const corpus = readLines(path.join(folder, 'corpus.jsonl'))
  /** @type {Query[]} */
  const queries = readLines(path.join(folder, 'queries.jsonl'))
  const ids = new Set(corpus.map((note) => note.id))
  const lost = queries.find((query) => query.gold.length === 0 || query.gold.some((id) => !ids.has(id)))
  if (lost !== undefined) throw new Error(`${folder}: query ${lost.id} has no gold, or gold that is not in the corpus`)
  if (queries.length === 0) throw new Error(`${folder}: queries.jsonl is empty`)
  return { name: path.basename(path.resolve(folder)), corpus, queries }
}

/** @param {string} file */
function readLines(file) {
  let text
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new Error(`There is no labelled data at ${file}. Name a folder with --data, or leave it out.`, {
      cause: error,
    })
  }
  return text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [JSON.parse(line)]))
}
