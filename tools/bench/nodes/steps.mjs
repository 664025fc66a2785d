// @ts-check
/** Steps to claim. */
import { ada } from './items.mjs'

/** @param {import('@agentm/nodes').NodeStore} store @param {string} prefix @param {number} count */
export async function addReadySteps({ log }, prefix, count) {
  const concept = 'v1:sample:step'
  const drafts = Array.from({ length: count }, (_, i) => [
    { concept, id: `${prefix}${i}`, payload: { title: `step ${i}` }, mutation: 'addBenchStep' },
    { concept, id: `${prefix}${i}`, payload: { status: 'ready' }, mutation: 'readyBenchStep' },
  ])
  await log.append(drafts.flat(), { ...ada, durability: 'normal' })
}

/** @param {import('@agentm/nodes').NodeStore} store @param {string} session */
export async function claimOne({ work }, session) {
  const scope = { owners: ['ada'], concepts: ['v1:sample:step'], actor: 'bench' }
  const taken = await work.take({ session, ...scope, k: 1, perPartition: 1e9 })
  if (taken.length !== 1) throw new Error('there was nothing left to claim')
}
