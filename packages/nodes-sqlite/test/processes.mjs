// @ts-check
// A process whose system calls a test counts: `node processes.mjs TASK PATH [ARGUMENT]…`.
import { sampleConcepts } from '@agentm/conformance/logs'
import { openSqliteStore } from '@agentm/nodes-sqlite'

const [task, path = '', ...rest] = process.argv.slice(2)
const options = { owner: 'ada', actor: 'test' }
const store = await openSqliteStore({
  path: path,
  concepts: sampleConcepts,
})

/** @param {string} id */
const draft = (id) => ({ concept: 'v1:sample:observation', id, payload: { content: 'text' }, mutation: 'record' })

if (task === 'append') {
  const [durability, count, atOnce] = rest
  for (let i = 0; i < Number(count); i += Number(atOnce))
    await Promise.all(
      Array.from({ length: Number(atOnce) }, (_, n) =>
        store.log.append([draft(`o${i + n}`)], { ...options, durability: durability === 'full' ? 'full' : 'normal' }),
      ),
    )
}

if (task === 'vectors') {
  const drafts = Array.from({ length: Number(rest[0]) }, (_, i) => draft(`o${i}`))
  await store.log.append(drafts, { ...options, durability: 'normal' })
  const { items } = await store.recall.pending({ embedder: 'test' })
  for (const { id, revision } of items)
    await store.recall.putVectors({ name: 'test', dimensions: 2 }, [{ id, revision, values: [1, 0] }])
}

await store.close()
