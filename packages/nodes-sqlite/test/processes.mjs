// @ts-check
// A process whose system calls or processor time a test looks at: `node processes.mjs TASK PATH [ARGUMENT]…`.
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

if (task === 'put') {
  const more = { source: 's', concept: 'v1:test:note', partition: 'attic', createdAt: 1 }
  for (let i = 0; i < Number(rest[0]); i++) await store.recall.put([{ id: `n${i}`, text: 'x', ...more }], options)
}

if (task === 'idle') {
  const stop = new AbortController()
  const reading = (async () => {
    for await (const { node } of store.log.feed({ owner: 'ada', signal: stop.signal })) console.log(node.id)
  })()
  await new Promise((go) => setTimeout(go, 300))
  const before = process.cpuUsage()
  const seconds = Number(rest[0])
  await new Promise((go) => setTimeout(go, seconds * 1000))
  const { user, system } = process.cpuUsage(before)
  console.log(JSON.stringify({ share: (user + system) / 1e6 / seconds }))
  stop.abort()
  await reading
}

await store.close()
