// @ts-nocheck – the package is installed for benchmarks only.
/** A rollout: a person approves it, then it reaches all hosts at once. */
import { DBOS } from '@dbos-inc/dbos-sdk'
import { z } from 'zod'
import { announce, deploy, requestApproval } from '../services.mjs'

const inputSchema = z.tuple([z.object({ tag: z.string(), hosts: z.array(z.string()) })])

const rollout = DBOS.registerWorkflow(
  async ({ tag, hosts }) => {
    await DBOS.runStep(() => requestApproval(tag), { name: 'request' })
    const answer = await DBOS.recv('approval', { timeoutSeconds: 2 * 24 * 60 * 60 })
    if (answer !== 'yes') return { deployed: [] }
    const deploys = hosts.map((host) => DBOS.runStep(() => deploy(tag, host), { name: `deploy ${host}` }))
    const deployed = await Promise.all(deploys)
    await DBOS.runStep(() => announce(tag), { name: 'announce' })
    return { deployed }
  },
  { name: 'rollout', inputSchema },
)

export async function rollOut(input) {
  const handle = await DBOS.startWorkflow(rollout, { workflowID: input.tag })(input)
  return handle.getResult()
}

export async function approve(tag) {
  await DBOS.send(tag, 'yes', 'approval')
}
