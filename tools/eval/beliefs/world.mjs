// @ts-check
/**
 * Months of plans in three projects, as the log keeps them, from a seed: goals that come back, steps that start and end, what the
 * planner decided, what tools printed, what agents reported, and here and there something worth knowing. Some of it changes part
 * way through. Every sentence of an agent is labelled.
 */
import { randomFrom } from '../recall/random-from.mjs'
import { projects, services } from '../recall/vocabulary.mjs'
import { facts } from './facts.mjs'
import { files, goals, passing, printed, tools } from './passing.mjs'

/** @typedef {'a' | 'b' | 'c'} Part */
/** @typedef {{ readonly fact: string, readonly isLater: boolean }} Label a fact of a project, as it was or as it became */
/** @typedef {{ readonly concept: string, readonly id: string, readonly payload: Readonly<Record<string, unknown>>, readonly mutation: string }} Draft */
/** @typedef {{ readonly partition: string, readonly day: number, readonly goal: string, readonly drafts: readonly Draft[] }} PlanRecord */
/**
 * @typedef {object} ToldFact
 * @property {string} id
 * @property {string} partition
 * @property {readonly string[]} said
 * @property {readonly string[]} later
 * @property {string | undefined} by
 * @property {Set<string>} goalsBefore goals whose plans said it
 * @property {Set<string>} goalsAfter goals whose plans said what became of it
 */
/** @typedef {{ readonly plans: readonly PlanRecord[], readonly facts: readonly ToldFact[], readonly labels: ReadonlyMap<string, Label> }} World */

const partitions = projects.slice(0, 3).map((name) => name.toLowerCase())
const factsPerProject = 20

/** @param {{ readonly seed: number, readonly plans: number, readonly part?: Part }} options @returns {World} */
export function learningWorld({ seed, plans: many, part }) {
  const random = randomFrom(seed)
  const told = partitions.flatMap((partition) => factsOf(partition, random, part))
  /** @type {Map<string, Label>} */
  const labels = new Map()
  for (const { id, partition, said, later } of told) {
    for (const text of said) labels.set(`${partition}: ${text}`, { fact: id, isLater: false })
    for (const text of later) labels.set(`${partition}: ${text}`, { fact: id, isLater: true })
  }
  const plans = Array.from({ length: many }, (_, n) => planRecord({ n, many, random, told, part }))
  return { plans, facts: told, labels }
}

/** @param {string} partition @param {ReturnType<typeof randomFrom>} random @param {Part | undefined} part @returns {ToldFact[]} */
function factsOf(partition, { some }, part) {
  const pool = facts.filter((fact) => part === undefined || fact.part === part)
  const known = services.slice(0, 6)
  const pairs = pool.flatMap((fact, i) => known.map((service) => ({ fact, i, service })))
  return some(pairs, factsPerProject).map(({ fact, i, service }) => {
    const filled = (/** @type {string} */ text) => text.replaceAll(/\bS\b/g, service)
    return {
      id: `${partition}/${service}/${i}`,
      partition,
      said: fact.said.map(filled),
      later: (fact.later ?? []).map(filled),
      by: fact.by,
      goalsBefore: new Set(),
      goalsAfter: new Set(),
    }
  })
}

/**
 * @param {{ n: number, many: number, random: ReturnType<typeof randomFrom>, told: readonly ToldFact[], part: Part | undefined }} given
 * @returns {PlanRecord}
 */
function planRecord({ n, many, random, told, part }) {
  const { below, pick, some } = random
  const partition = pick(partitions)
  const service = pick(services.slice(0, 6))
  const fill = (/** @type {string} */ text) =>
    text
      .replaceAll(/\bS\b/g, service)
      .replaceAll(/\bF\b/g, pick(files))
      .replaceAll(/\bN\b/g, `${2 + below(40)}`)
  const lines = part === undefined ? Object.values(passing).flat() : passing[part]
  const lies = part === undefined ? Object.values(printed).flat() : printed[part]
  const goal = fill(pick(goals))
  const planId = `v1:harness:plan:p${n}`
  const isLater = n > many / 2
  const here = told.filter((fact) => fact.partition === partition)
  /** @type {Draft[]} */
  const drafts = [node('plan', planId, { goal, status: 'running' }, 'startPlan')]
  const saying = new Set(below(10) < 8 ? some(here, 1 + below(2)) : [])
  const steps = 3 + below(3)
  for (let k = 0; k < steps; k++) {
    const stepId = `v1:harness:step:p${n}s${k}`
    const title = fill(pick(goals))
    const observe = (/** @type {string} */ kind, /** @type {string} */ content, data = {}) =>
      drafts.push(node('observation', `p${n}o${drafts.length}`, { stepId, planId, kind, content, data }, 'record'))
    observe('decision', `route ${JSON.stringify(title)}: the nearest agent fits at .7${below(9)}`, {
      choice: 'route',
      assignedAgent: 'a1',
    })
    drafts.push(node('step', stepId, { planId, title, status: 'running' }, 'claim'))
    const lie = below(12) === 0 ? fill(pick(lies)) : undefined
    for (let call = 0; call < 2 + below(3); call++) {
      const tool = pick(tools)
      const failed = below(8) === 0
      const output = [output4(random, fill), ...(call === 0 && lie !== undefined ? [lie] : [])].join('\n')
      observe(failed ? 'error' : 'tool_result', `${tool}: ${failed ? 'exit code 1, ' : ''}${output}`, {
        toolName: tool,
        toolCalls: 1,
      })
    }
    if (below(9) === 0)
      observe(
        'note',
        'You called shell 3 times with the same result. Do something else, or call respondToUser with what you have.',
        { nudge: 'shell', rule: 'same', times: 3 },
      )
    const telling = k === steps - 1 ? [...saying] : []
    const report = some(lines, 2 + below(3)).map(fill)
    const known = telling.map((fact) => tellOf(fact, { isLater, goal, pick }))
    const echo = lie !== undefined && below(2) === 0 ? [lie] : []
    const text = [...report.slice(0, 1), ...known, ...echo, ...report.slice(1)].join(' ')
    observe('note', `respondToUser: ${text}`, { reason: 'respondToUser', iterations: 3 })
    const status = below(10) === 0 ? 'failed' : 'done'
    drafts.push(node('step', stepId, { planId, title, status }, 'end'))
  }
  drafts.push(node('plan', planId, { goal, status: below(12) === 0 ? 'failed' : 'done' }, 'endPlan'))
  return { partition, day: Math.floor((n / many) * 30), goal, drafts }
}

/** @param {ToldFact} fact @param {{ isLater: boolean, goal: string, pick: <T>(from: readonly T[]) => T }} how */
function tellOf(fact, { isLater, goal, pick }) {
  const changed = isLater && fact.later.length > 0
  const goalsSaid = changed ? fact.goalsAfter : fact.goalsBefore
  goalsSaid.add(goal)
  return pick(changed ? fact.later : fact.said)
}

/** @param {ReturnType<typeof randomFrom>} random @param {(text: string) => string} fill */
function output4({ below, pick }, fill) {
  const rows = [
    'GET /health 200 in N ms',
    'connected to S',
    'wrote F',
    'N rows',
    'S: started',
    'warning: F has no owner',
    'S: cache miss N',
  ]
  return Array.from({ length: 3 + below(12) }, () => fill(pick(rows))).join('\n')
}

/** @param {'plan' | 'step' | 'observation'} kind @param {string} id @param {Readonly<Record<string, unknown>>} payload @param {string} mutation @returns {Draft} */
function node(kind, id, payload, mutation) {
  return { concept: `v1:harness:${kind}`, id, payload: { ownerUserId: 'ada', ...payload }, mutation }
}
