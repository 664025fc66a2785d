// @ts-check
/** A question and its ten best answers, in a process that stays: what an agent waits for that talks to the MCP server. */
import { openStaticEmbedder } from '@agentm/embedder-static'
import { observation } from '@agentm/memory'
import { openWorkspace } from '@agentm/workspace'
import { homedir, userInfo } from 'node:os'
import path from 'node:path'
import { openSqliteStore } from '@agentm/nodes-sqlite'
import { filePath } from '@agentm/vault-lock'
import { interleave } from '../frame.mjs'
import { openFts5, openMiniSearch } from './peers.mjs'
import { notesOf, pagesOf, proseFrom } from './prose.mjs'

/** @typedef {{ readonly figures: Record<string, number[]>, readonly found: Record<string, number>, readonly behind: number }} Answers */

/**
 * With `bytes`, among notes of that length.
 * @param {{ readonly notes: number, readonly bytes?: number, readonly episodes: number, readonly rounds: number }} settings
 * @returns {Promise<Answers>}
 */
export async function answers({ notes, bytes, episodes, rounds }) {
  const kept =
    bytes === undefined
      ? notesOf(notes).map((note, i) => ({ id: `personal/fact/note-${i + 1}.md`, ...note }))
      : pagesOf({ notes, bytes })
  const happened = await addEpisodes(episodes)
  const fts5 = openFts5([...kept, ...happened], path.join(homedir(), `fts5-${episodes}.db`))
  // It holds all texts in memory, so it is no peer for many long ones.
  const miniSearch = bytes === undefined ? await openMiniSearch([...kept, ...happened]) : undefined
  const workspace = await openWorkspace(process.cwd())
  const memory = await workspace.memory()
  const prose = proseFrom(7)
  /** @type {Record<string, number>} */
  const found = {}
  let behind = 0
  const timed = (/** @type {string} */ name, /** @type {(question: string) => unknown} */ ask) => async () => {
    const note = prose.pick(kept)
    const question = prose.questionAbout(note)
    const started = performance.now()
    const ids = /** @type {readonly string[]} */ (await ask(question))
    const took = performance.now() - started
    if (ids.includes(note.id)) found[name] = (found[name] ?? 0) + 1
    return took
  }
  const ours = async (/** @type {string} */ text) => {
    const { results, freshness } = await memory.recall({ text })
    if (freshness.store !== 'current') behind += 1
    return results.map(({ key, id }) => key ?? id)
  }
  const contenders = {
    ours: timed('ours', ours),
    'SQLite FTS5': timed('SQLite FTS5', fts5.answers),
    ...(miniSearch === undefined ? {} : { MiniSearch: timed('MiniSearch', miniSearch.answers) }),
  }
  await interleave(contenders, 3)
  for (const name of Object.keys(contenders)) found[name] = 0
  behind = 0
  const figures = await interleave(contenders, rounds)
  fts5.close()
  await workspace.close()
  return { figures, found, behind }
}

/** Into the log beside the notes, with their vectors. @param {number} count */
async function addEpisodes(count) {
  const prose = proseFrom(count)
  const embedder = await openStaticEmbedder()
  const nodes = await openNodes()
  const entries = []
  for (let done = 0; done < count; done += 1000) {
    const texts = Array.from({ length: Math.min(1000, count - done) }, () => prose.sentence(24))
    const vectors = await embedder.embed(texts)
    const drafts = texts.map((content, i) => ({
      concept: observation.name,
      id: `e${done + i}`,
      payload: { ownerUserId: userInfo().username, kind: 'note', content },
      mutation: 'recordBench',
      vector: { embedder: embedder.name, values: vectors[i] ?? [] },
    }))
    const { username: owner } = userInfo()
    await nodes.log.append(drafts, { owner, actor: 'bench', partition: '_global', durability: 'normal' })
    entries.push(...texts.map((text, i) => ({ id: `e${done + i}`, title: '', text })))
  }
  await nodes.close()
  return entries
}

async function openNodes() {
  const file = filePath(path.join(homedir(), '.agentm', 'log', 'agentm.db'))
  return openSqliteStore({ path: file, concepts: [observation] })
}
