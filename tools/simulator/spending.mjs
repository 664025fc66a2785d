// @ts-check
/** Steps that spend tokens and calls side by side under the budget of their plan, and whether they spent more. */
/**
 * @typedef {import('@agentm/harness').StepRun} StepRun
 * @typedef {import('@agentm/harness').NewStep} NewStep
 * @typedef {import('@agentm/nodes').NodeStore} NodeStore
 * @typedef {import('@agentm/nodes').Head} Head
 */

const microsPerToken = 3

/** Replies and calls under the budget of its plan, as an agent has them. @param {StepRun} run @returns {Promise<import('@agentm/harness').StepOutcome>} */
export async function spend(run) {
  const { most = 1, took = 0, ms = 1, times = 1 } = /** @type {Record<string, number>} */ (run.step.input ?? {})
  const refused = { end: /** @type {const} */ ('failed'), failure: { message: 'no budget', retryable: false } }
  for (let n = 0; n < times; n++) {
    const reply = await run.budget.reserve({ tokens: most, toolCalls: 0, costMicros: most * microsPerToken })
    if (!reply.granted) return refused
    await run.runtime.sleep(ms, run.signal)
    await reply.settle({ tokens: took, toolCalls: 0, costMicros: took * microsPerToken })
    const calls = await Promise.all(Array.from({ length: 2 }, () => callOnce(run, ms)))
    await run.observe({ kind: 'note', content: 'replied', data: { tokens: took, costMicros: took * microsPerToken } })
    for (const made of calls) if (made) await run.observe({ kind: 'tool_result', content: 'called' })
    if (calls.includes(false)) return refused
  }
  // What it has used is known while it still runs.
  await run.runtime.sleep(ms, run.signal)
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
  const spending = steps.map((step) => (step.kind === 'work' ? { ...step, ...spends() } : step))
  const calls = spending.reduce(
    (sum, { kind, input }) => sum + (kind === 'spends' ? 2 * Number(input?.['times']) : 0),
    0,
  )
  // Just enough is where an end and a limit meet.
  if (calls > 0 && random() < 0.4) return { steps: spending, budget: { maxToolCalls: calls } }
  if (random() < 0.3)
    return { steps: spending, budget: { maxCostMicros: (5 + Math.floor(random() * 40)) * microsPerToken } }
  return {
    steps: spending,
    budget: { maxTokens: 20 + Math.floor(random() * 200), maxToolCalls: 2 + Math.floor(random() * 16) },
  }
}

/** More was told than the plan may use. @param {NodeStore} store @param {Head} plan */
export async function overspent(store, { id, owner, payload: plan }) {
  const {
    maxTokens = Infinity,
    maxToolCalls = Infinity,
    maxCostMicros = Infinity,
  } = /** @type {import('@agentm/harness').Budget} */ (plan['budget'] ?? {})
  // Summed up here, so that what the harness forgets to count is seen.
  const { nodes } = await store.log.scan({
    owner,
    related: { field: 'planId', to: id },
    concepts: ['v1:harness:observation'],
    limit: 10_000,
  })
  const told = nodes.map(({ payload }) => /** @type {Record<string, number> | undefined} */ (payload['data']))
  const sum = (/** @type {'tokens' | 'costMicros'} */ what) => told.reduce((all, each) => all + (each?.[what] ?? 0), 0)
  const used = {
    calls: nodes.filter(({ payload }) => payload['kind'] === 'tool_result').length,
    tokens: sum('tokens'),
    micros: sum('costMicros'),
  }
  return used.tokens > maxTokens || used.calls > maxToolCalls || used.micros > maxCostMicros
    ? [
        `${id} used ${used.calls} calls of ${maxToolCalls}, ${used.tokens} tokens of ${maxTokens} and ${used.micros} millionths of ${maxCostMicros}`,
      ]
    : []
}
