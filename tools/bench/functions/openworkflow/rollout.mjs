// @ts-nocheck – the package is installed for benchmarks only.
/** A rollout: a person approves it, then it reaches all hosts at once. */
import { setTimeout as sleep } from 'node:timers/promises'
import { defineWorkflow } from 'openworkflow'
import { z } from 'zod'
import { announce, deploy, requestApproval } from '../services.mjs'

const schema = z.object({ tag: z.string(), hosts: z.array(z.string()) })

// A run may make a thousand attempts at steps, retries among them, so children share the hosts.
const perChild = 250

export const deployAll = defineWorkflow({ name: 'deploy-all', schema }, ({ input: { tag, hosts }, step }) =>
  Promise.all(hosts.map((host) => step.run({ name: `deploy ${host}` }, () => deploy(tag, host)))),
)

export const rollout = defineWorkflow({ name: 'rollout', schema }, async ({ input: { tag, hosts }, step }) => {
  await step.run({ name: 'request' }, () => requestApproval(tag))
  const answer = await step.waitForSignal({ signal: `approval:${tag}`, timeout: '2d' })
  if (answer?.data !== 'yes') return { deployed: [] }
  const starts = Array.from({ length: Math.ceil(hosts.length / perChild) }, (_, i) => i * perChild)
  const children = starts.map((start) => {
    const input = { tag, hosts: hosts.slice(start, start + perChild) }
    return step.runWorkflow(deployAll.spec, input, { name: `deploy from ${start}` })
  })
  const deployed = (await Promise.all(children)).flat()
  await step.run({ name: 'announce' }, () => announce(tag))
  return { deployed }
})

export async function rollOut(client, input) {
  const handle = await client.runWorkflow(rollout.spec, input, { idempotencyKey: input.tag })
  return handle.result()
}

export async function approve(client, tag) {
  // A signal that nobody waits for yet is lost.
  for (;;) {
    const { workflowRunIds } = await client.sendSignal({ signal: `approval:${tag}`, data: 'yes' })
    if (workflowRunIds.length > 0) return
    await sleep(5)
  }
}
