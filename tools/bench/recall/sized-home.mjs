// @ts-check
/** Homes with many notes of a given length: what it costs to index them, with and without vectors, and a home that is ready to be asked. */
import { mkdirSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { formatNote } from '@agentm/memory/notes'
import { agentm, emptyHome } from './filled-home.mjs'
import { cost } from './measured-process.mjs'
import { pagesOf } from './prose.mjs'
import { dimensions, serveVectors } from './vector-server.mjs'

/** @typedef {{ readonly notes: number, readonly bytes: number }} Size */
/** With `openai`, notes get vectors, from a server of this bench. @typedef {'none' | 'static' | 'openai'} Provider */
/** @typedef {import('./measured-process.mjs').Cost & { readonly disk: number }} Indexing */
/**
 * `bytes` is what the notes take on disk.
 * @typedef {object} SizedHome
 * @property {string} cwd
 * @property {NodeJS.ProcessEnv} env
 * @property {ReturnType<typeof pagesOf>} notes
 * @property {number} bytes
 * @property {() => void} dropIndex
 * @property {(provider: Provider) => Promise<Indexing>} index from nothing
 */

/** @type {Map<string, Promise<SizedHome>>} */
const written = new Map()
/** @type {Map<SizedHome, { readonly provider: string, readonly indexing: Indexing }>} */
const indexed = new Map()

/** The same one for every case of this process. @param {Size} size */
export function sizedHome(size) {
  const name = JSON.stringify(size)
  const known = written.get(name) ?? write(size)
  written.set(name, known)
  return known
}

/** A home whose notes are indexed, and what that cost. @param {Size} size @param {Provider} [provider] */
export async function readyHome(size, provider = 'static') {
  const home = await sizedHome(size)
  const known = indexed.get(home)
  if (known?.provider === provider) return { home, indexing: known.indexing }
  const indexing = await home.index(provider)
  indexed.set(home, { provider, indexing })
  return { home, indexing }
}

/** @param {Size} size @returns {Promise<SizedHome>} */
async function write(size) {
  const { cwd, env, store } = await emptyHome()
  const notes = pagesOf(size)
  let bytes = 0
  for (const [i, { id, title, text }] of notes.entries()) {
    const created = new Date(Date.UTC(2024, 0, 1) + Math.floor((i / size.notes) * 600) * 86_400_000).toISOString()
    const slug = path.basename(id, '.md')
    const note = formatNote({ kind: 'fact', created, tags: [], group: 'personal', slug, more: { title }, text })
    mkdirSync(path.dirname(path.join(store, id)), { recursive: true })
    writeFileSync(path.join(store, id), note)
    // As old as it says: what was written a moment ago is looked at more closely.
    utimesSync(path.join(store, id), new Date(created), new Date(created))
    bytes += Buffer.byteLength(note)
  }
  const beside = path.dirname(store)
  const dropIndex = () => {
    for (const name of readdirSync(beside))
      if (name !== path.basename(store)) rmSync(path.join(beside, name), { recursive: true, force: true })
  }
  const set = async (/** @type {string} */ key, /** @type {string} */ value) =>
    cost([agentm, 'config', 'set', key, value], { cwd, env })
  const index = async (/** @type {Provider} */ provider) => {
    dropIndex()
    const server = provider === 'openai' ? await serveVectors() : undefined
    try {
      if (server !== undefined) {
        await set('embedder.url', server.url)
        await set('embedder.model', 'bench')
        await set('embedder.dimensions', String(dimensions))
      }
      await set('embedder.provider', provider)
      const indexing = await cost([agentm, 'reindex'], { cwd, env })
      return { ...indexing, disk: sizeOf(beside) - sizeOf(store) }
    } finally {
      await server?.close()
    }
  }
  return { cwd, env, notes, bytes, dropIndex, index }
}

/** @param {string} directory */
function sizeOf(directory) {
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' })
  return names
    .map((name) => statSync(path.join(directory, name)))
    .reduce((sum, at) => sum + (at.isFile() ? at.size : 0), 0)
}
