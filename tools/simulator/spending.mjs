// @ts-check
/** Steps that spend tokens and calls side by side under the budget of their plan, and whether they spent more. */
import { openHarness } from '@agentm/harness'

/**
 * @typedef {import('@agentm/harness').StepRun} StepRun
 * @typedef {import('@agentm/harness').NewStep} NewStep
 * @typedef {import('@agentm/nodes').NodeStore} NodeStore
 * @typedef {import('@agentm/nodes').Head} Head
 */

/** Replies and calls under the budget of its plan, as an agent has them. @param {StepRun} run @returns {Promise<import('@agentm/harness').StepOutcome>} */
export async function spend(run) {
  const { most = 1, took = 0, ms = 1, times = 1 } = /** @type {Record<string, number>} */ (run.step.input ?? {})
  const refused = { end: /** @type {const} */ ('failed'), failure: { message: 'no budget', retryable: false } }
  for (let n = 0; n < times; n++) {
    const reply = await run.budget.reserve({ tokens: most, toolCalls: 0, costMicros: 0 })
    if (!reply.granted) return refused
    await run.runtime.sleep(ms, run.signal)
    await reply.settle({ tokens: took, toolCalls: 0, costMicros: 0 })
    const calls = await Promise.all(Array.from({ length: 2 }, () => callOnce(run, ms)))
    await run.observe({ kind: 'note', content: 'replied', data: { tokens: took } })
    for (const made of calls) if (made) await run.observe({ kind: 'tool_result', content: 'called' })
    if (calls.includes(false)) return refused
  }
  return { end: 'done' }
}

/** False where it was refused. @param {StepRun} run @param {number} ms */
async function callOnce(run, ms) {
  const one = { tokens: 0, toolCalls: 1, costMicros: 0 }
  const call = await run.budget.reserve(one)
  if (!call.granted) return false
  await run.runtime.sleep(ms, run.signal)
  await call.settle(one)
  return true
}

/** Of every other plan what works spends, and what it may spend is limited. @param {readonly NewStep[]} steps @param {() => number} random */
export function withBudget(steps, random) {
  if (random() < 0.5) return { steps }
  const spends = () => {
    const most = 1 + Math.floor(random() * 40)
    const times = 1 + Math.floor(random() * 3)
    return { kind: 'spends', input: { most, took: Math.floor(random() * (most + 1)), ms: random() * 1000, times } }
  }
  return {
    steps: steps.map((step) => (step.kind === 'work' ? { ...step, ...spends() } : step)),
    budget: { maxTokens: 20 + Math.floor(random() * 200), maxToolCalls: 2 + Math.floor(random() * 16) },
  }
}

/** More was told than the plan may use. @param {NodeStore} store @param {Head} plan */
export async function overspent(store, { id, owner, payload }) {
  const { maxTokens = Infinity, maxToolCalls = Infinity } =
    /** @type {{ maxTokens?: number, maxToolCalls?: number }} */ (payload['budget'] ?? {})
  const { tokens, toolCalls } = await openHarness({ store, owner, actor: 'judge' }).usage(id)
  return tokens > maxTokens || toolCalls > maxToolCalls
    ? [`${id} used ${toolCalls} calls of ${maxToolCalls} and ${tokens} tokens of ${maxTokens}`]
    : []
}
