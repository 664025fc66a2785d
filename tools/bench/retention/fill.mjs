// @ts-check
/** Fills a log with ended plans of a hundred nodes each: the plan, its steps, and what they observed and called. */
import { generator } from '../nodes/data.mjs'

export const ada = { owner: 'ada', actor: 'bench' }
const nodesOfPlan = 100
const stepsOfPlan = 19

/** Some hundred nodes fewer than asked for if that is no multiple of a hundred. @param {import('@agentm/nodes').NodeLog} log @param {number} from @param {number} to */
export async function fillPlans(log, from, to) {
  const words = generator(from + 1)
  for (let plan = from / nodesOfPlan; plan < Math.floor(to / nodesOfPlan); plan++)
    await log.append(
      planDrafts(`old${plan}`, () => words.text(24)),
      {
        ...ada,
        partition: `project-${plan % 10}`,
        durability: 'normal',
      },
    )
}

/** @param {string} id @param {() => string} text @returns {import('@agentm/nodes').Draft[]} */
function planDrafts(id, text) {
  const drafts = [draft('plan', id, { goal: `goal ${id} ${text()}` }), draft('plan', id, { status: 'running' })]
  for (let i = 0; i < stepsOfPlan; i++) drafts.push(...stepDrafts(id, i, text))
  for (let i = 0; i < nodesOfPlan - 1 - stepsOfPlan; i++) drafts.push(recordDraft(id, i, text))
  drafts.push(draft('plan', id, { status: 'done' }))
  return drafts
}

/** @param {string} plan @param {number} i @param {() => string} text */
function stepDrafts(plan, i, text) {
  const id = `${plan}-${i}`
  const first = {
    planId: plan,
    title: text(),
    idempotencyKey: id,
    kind: 'command',
    ...(i === 0 ? {} : { dependsOn: [`${plan}-${i - 1}`] }),
  }
  return [
    draft('step', id, first),
    draft('step', id, { status: 'ready' }),
    draft('step', id, { status: 'running', session: 'gone' }),
    draft('step', id, { status: 'done', result: { text: text() } }),
  ]
}

/** @param {string} planId @param {number} i @param {() => string} text */
function recordDraft(planId, i, text) {
  const stepId = `${planId}-${i % stepsOfPlan}`
  if (i % 2 === 0) return draft('observation', `o-${planId}-${i}`, { planId, stepId, kind: 'note', content: text() })
  const call = { key: `${planId}-${i}`, tool: 'shell', args: '{}', ordinal: 1, nature: 'pure', intents: 1 }
  return draft('effect', `e-${planId}-${i}`, { planId, stepId, ...call, status: 'succeeded', text: text() })
}

/** @param {string} concept @param {string} id @param {Readonly<Record<string, unknown>>} payload */
export function draft(concept, id, payload) {
  return { concept: `v1:harness:${concept}`, id, payload: { ownerUserId: 'ada', ...payload }, mutation: 'bench' }
}
