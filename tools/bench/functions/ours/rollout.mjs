// @ts-check
/** A rollout: a person approves it, then it reaches all hosts at once. */
import { durable } from '@agentm/harness'
import { z } from 'zod'
import { announce, deploy, requestApproval } from '../services.mjs'

const input = z.object({ tag: z.string(), hosts: z.array(z.string()) })

export const rollout = durable('rollout', { input }, async (run, { tag, hosts }) => {
  await run.step('request', () => requestApproval(tag))
  const answer = await run.signal('approval', { timeout: '2 days' })
  if (answer !== 'yes') return { deployed: [] }
  const deployed = await run.map('deploy', hosts, (host) => deploy(tag, host), { concurrency: hosts.length })
  await run.step('announce', () => announce(tag))
  return { deployed }
})

/** @param {import('@agentm/harness').Harness} harness @param {z.infer<typeof input>} order */
export async function rollOut(harness, order) {
  const handle = await harness.start(rollout, order, { id: order.tag })
  return handle.result()
}

/** @param {import('@agentm/harness').Harness} harness @param {string} tag */
export async function approve(harness, tag) {
  await harness.run(tag).signal('approval', 'yes')
}
