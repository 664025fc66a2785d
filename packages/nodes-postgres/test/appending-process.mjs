// @ts-check
/** Appends two versions of a step at a time, for ever, and says the id of each append that was acknowledged. */
import { sampleConcepts } from '@agentm/conformance/logs'
import { openPostgresStore } from '@agentm/nodes-postgres'

const [url = '', schema = '', prefix = ''] = process.argv.slice(2)
const { log } = await openPostgresStore({ url, schema, concepts: sampleConcepts })
for (let i = 0; ; i++) {
  const id = `${prefix}x${i}`
  const step = { concept: 'v1:sample:step', id, mutation: 'addStep' }
  const drafts = [
    { ...step, payload: { title: id } },
    { ...step, payload: { status: 'ready' } },
  ]
  await log.append(drafts, { owner: 'ada', actor: 'child', partition: 'attic' })
  process.stdout.write(`${id}\n`)
}
