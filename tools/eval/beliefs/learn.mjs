// @ts-check
/** Plays a world into a log day by day, with a consolidation every night. */
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { z } from 'zod'
import { askStructured } from '../../../packages/agent-loop/dist/models/index.js'
import { consolidate, consolidationCursor, modelDistiller } from '../../../packages/learning/dist/index.js'
import { observation, semanticMemory } from '../../../packages/memory/dist/index.js'
import { defineConcept } from '../../../packages/nodes/dist/index.js'
import { openSqliteStore } from '../../../packages/nodes-sqlite/dist/index.js'
import { filePath } from '../../../packages/vault-lock/dist/index.js'

const dayMs = 86_400_000
/** As the harness has them, as far as consolidation reads them, and without the rules for how they may change. */
const [required, optional] = [z.string(), z.string().optional()]
const plan = defineConcept({
  name: 'v1:harness:plan',
  schema: z.object({ ownerUserId: required, goal: required, status: required }),
  recallable: { text: ({ goal }) => goal },
})
const step = defineConcept({
  name: 'v1:harness:step',
  schema: z.object({ ownerUserId: required, planId: optional, title: required, status: required }),
  recallable: { text: ({ title }) => title },
})

/** @typedef {import('../../../packages/memory/dist/index.js').MemoryEmbedder} MemoryEmbedder */
/** @typedef {import('../../../packages/agent-loop/dist/index.js').Model} Model */

/**
 * @param {import('./world.mjs').World} world
 * @param {{ readonly embedder?: MemoryEmbedder, readonly model?: Model }} by
 */
export async function learnAll({ plans }, { embedder, model }) {
  const home = await mkdtemp(path.join(os.tmpdir(), 'agentm-learning-'))
  let now = Date.UTC(2026, 0, 1, 12)
  const store = await openSqliteStore({
    path: filePath(path.join(home, 'nodes.db')),
    concepts: [plan, step, observation, semanticMemory, consolidationCursor],
    runtime: { now: () => now },
  })
  let calls = 0
  const counted = model && {
    respond: (/** @type {any} */ request) =>
      ((calls += 1), model.respond(request)),
  }
  const options = {
    store,
    runtime: { now: () => now },
    ...(embedder && { embedder }),
    ...(counted && { distiller: modelDistiller((question) => askStructured(counted, question)) }),
  }
  try {
    let day = 0
    for (const record of plans) {
      for (; day < record.day; day++) {
        await consolidate(options, { owner: 'ada' })
        now += dayMs
      }
      for (const draft of record.drafts) {
        const [text = ''] = [draft.payload['content'] ?? draft.payload['goal'] ?? draft.payload['title']].map(String)
        const vector = embedder && { embedder: embedder.name, values: (await embedder.embed([text]))[0] ?? [] }
        const isEmpty = vector === undefined || Array.from(vector.values).every((value) => value === 0)
        await store.log.append([isEmpty ? draft : { ...draft, vector }], {
          owner: 'ada',
          actor: 'worker',
          partition: record.partition,
          durability: 'normal',
        })
        now += 1000
      }
    }
    await consolidate(options, { owner: 'ada' })
    const { nodes } = await store.log.scan({ owner: 'ada', concepts: [semanticMemory.name], limit: 10_000 })
    const contents = new Map(nodes.map(({ id, payload }) => [id, String(payload['content'])]))
    const beliefs = nodes.map(({ partition, status = '', payload }) => ({
      partition,
      successor: contents.get(String(payload['supersededBy'])),
      status,
      content: String(payload['content']),
      prunedBy: typeof payload['prunedBy'] === 'string' ? payload['prunedBy'] : undefined,
    }))
    return { beliefs, calls }
  } finally {
    await store.close()
    await rm(home, { recursive: true, force: true })
  }
}
