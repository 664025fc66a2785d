// @ts-check
/** Notes as a person's store holds them: files in a temporary directory, indexed by the engine that is measured. */
import { mkdtemp, rm } from 'node:fs/promises'
import path from 'node:path'
import { openRelatedWords } from '../../../packages/embedder-static/dist/related.js'
import { DeviceLocalBackend } from '../../../packages/backend-device-local/dist/index.js'
import { writeNotes } from '../../../packages/cli/dist/eval/write-notes.js'
import { consolidationCursor } from '../../../packages/learning/dist/index.js'
import { observation, openMemory, semanticMemory } from '../../../packages/memory/dist/index.js'
import { filePath } from '../../../packages/vault-lock/dist/index.js'
import { openSqliteStore } from '../../../packages/nodes-sqlite/dist/index.js'
import { openSqliteTables } from '../../../packages/nodes-sqlite/dist/sqlite-tables.js'
import { Tier } from '../../../packages/storage-seam/dist/index.js'

/** @typedef {import('../../../packages/cli/dist/eval/labelled-set.js').LabelledNote} Note */
/** @typedef {import('../../../packages/memory/dist/index.js').MemoryEmbedder} MemoryEmbedder */
/** @typedef {(append: (payload: Record<string, unknown>) => Promise<string>) => Promise<void>} Fill writes observations */
/** @typedef {{ memory: import('../../../packages/memory/dist/index.js').Memory, idOf: (key: string) => string | undefined, close: () => Promise<void> }} NoteStore */

const storeId = 'recall-eval'

/**
 * @param {readonly Note[]} corpus
 * @param {{ scratch: string, embedder?: MemoryEmbedder, fill?: Fill }} options where its directory is made, and what makes vectors
 * @returns {Promise<NoteStore>}
 */
export async function openNoteStore(corpus, { scratch, embedder, fill }) {
  const home = await mkdtemp(path.join(scratch, 'agentm-eval-'))
  const root = path.join(home, 'notes')
  const ids = await writeNotes(corpus, { root, storeId })
  const concepts = [observation, semanticMemory, consolidationCursor]
  const nodes = await openSqliteStore({ path: filePath(path.join(home, 'index', 'nodes.db')), concepts })
  const index = await openSqliteTables({ path: path.join(home, 'index', 'notes.db') })
  const close = async () => {
    await Promise.all([nodes.close(), index.close()])
    await rm(home, { recursive: true, force: true })
  }
  const memory = openMemory({
    backend: new DeviceLocalBackend(filePath(root)),
    storeId,
    owner: 'eval',
    index,
    recall: nodes.recall,
    log: nodes.log,
    // A slow moment of this machine is no reason to leave notes out.
    scanBudgetMs: 60_000,
    relatedWords: await openRelatedWords(),
    ...(embedder === undefined ? {} : { embedder }),
  })
  try {
    await fill?.(async (payload) => {
      const draft = { concept: observation.name, payload: { ownerUserId: 'eval', ...payload }, mutation: 'record' }
      const [node] = await nodes.log.append([draft], {
        owner: 'eval',
        actor: 'eval',
        partition: '_global',
        durability: 'normal',
      })
      return node?.id ?? ''
    })
    await memory.reindex(Tier.LOCAL_INDEX)
    const { waiting } = await memory.embedPending()
    if (waiting > 0) throw new Error(`${waiting} texts have no vector`)
    return { memory, idOf: (key) => ids.get(key), close }
  } catch (error) {
    await close()
    throw error
  }
}
